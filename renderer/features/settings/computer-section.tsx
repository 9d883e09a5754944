import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import type { DesktopBridge, ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Shell = DesktopBridge['shell']

const settingsKey = ['shell-settings']

/** The desktop's behavior on this computer: whether it starts with the system, what closing the window does, and a link to Diagnostics. */
export const ComputerSection = ({ shell }: { shell: Shell }) => {
  const { t } = useTranslation('settings')
  // The system itself can change it without this page.
  const settings = useQuery({ queryKey: settingsKey, queryFn: () => shell.settings(), staleTime: 0, refetchOnWindowFocus: 'always' })
  const diagnostics = useMutation({ mutationFn: () => shell.openDiagnostics() })
  return (
    <div className="flex flex-col gap-4">
      <Card title={t('computer.tab')} note={t('computer.note')}>
        {settings.data !== undefined ? <Choices shell={shell} settings={settings.data} /> : settings.error === null ? <Loading /> : <ErrorState failure={settings.error} onRetry={() => void settings.refetch()} />}
      </Card>
      <Card title={t('computer.diagnostics')} note={t('computer.diagnostics-note')}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
          <p className="min-w-64 flex-1 text-muted">{t('computer.diagnostics-text')}</p>
          <Button variant="outline" busy={diagnostics.isPending} onClick={() => { diagnostics.mutate() }}>
            {t('computer.diagnostics-open')}
          </Button>
        </div>
        {diagnostics.isError && (
          <Notice tone="error" className="mx-4 mb-3">
            {t('computer.diagnostics-failed')}
          </Notice>
        )}
      </Card>
    </div>
  )
}

const Choices = ({ shell, settings }: { shell: Shell; settings: ShellSettings }) => {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const { mutate, variables, isPending, isError } = useMutation({
    mutationFn: async (changes: Parameters<Shell['change']>[0]) => {
      // A running fetch may be older than the answer, and would undo it.
      await client.cancelQueries({ queryKey: settingsKey })
      client.setQueryData(settingsKey, await shell.change(changes))
    },
  })
  const shown = isPending ? { ...settings, ...variables } : settings
  return (
    <>
      <ul className="divide-y divide-hairline">
        {shown.startsWithSystem !== null && (
          <Choice name={t('computer.starts')} checked={shown.startsWithSystem} onChange={(startsWithSystem) => { mutate({ startsWithSystem }) }}>
            {t('computer.starts-text')}
          </Choice>
        )}
        <Choice name={t('computer.tray')} checked={shown.staysInTray} onChange={(staysInTray) => { mutate({ staysInTray }) }}>
          {t('computer.tray-text')}
        </Choice>
      </ul>
      {isError && (
        <Notice tone="error" className="mx-4 mb-3">
          {t('computer.change-failed')}
        </Notice>
      )}
    </>
  )
}

const Choice = ({ name, checked, onChange, children }: { name: string; checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }) => {
  const id = useId()
  return (
    <li className="flex items-center gap-4 px-4 py-3">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium">
          {name}
        </label>
        <p id={`${id}-text`} className="max-w-2xl text-muted">
          {children}
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-text`} checked={checked} onChange={onChange} />
    </li>
  )
}

const Loading = () => (
  <div className="flex flex-col gap-3 px-4 py-4">
    <Skeleton className="h-10 w-full max-w-2xl" />
    <Skeleton className="h-10 w-full max-w-2xl" />
  </div>
)
