import { playAlertSound } from '#renderer/lib/alert-sound.ts'
import { desktop } from '#renderer/lib/desktop.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import { alertSettings, type AlertSettings } from '#shared/api/rules.ts'
import { Volume2 } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaveAlertSettings } from './use-alerts.ts'

/** At which shares of a limit to alert, and how. A switch takes effect at once, the shares when they are saved. */
export const AlertsSettings = ({ settings }: { settings: AlertSettings }) => {
  const { t } = useTranslation('rules')
  const words = useProblemText()
  const { mutate, isPending, error } = useSaveAlertSettings()
  const [typed, setTyped] = useState<string | null>(null)
  const [complained, setComplained] = useState(false)
  const levels = readLevels(typed ?? settings.at.join(', '))
  const change = (more: Partial<AlertSettings>): void => { mutate({ ...settings, ...more }) }
  const save = (): void => {
    setComplained(true)
    if (levels !== null) mutate({ ...settings, at: levels }, { onSuccess: () => { setTyped(null); setComplained(false) } })
  }
  const play = (): void => {
    playAlertSound().catch((failure: unknown) => { logFailure('The sound of an alert could not be played', failure) })
  }
  return (
    <Card title={t('alerts.settings')} note={t('alerts.settings-note')} className="shrink-0">
      <div className="flex flex-col gap-4 p-4">
        {error !== null && <Notice tone="error">{words(error)}</Notice>}
        <Choice name="on" checked={settings.on} disabled={isPending} onChange={(on) => { change({ on }) }} />
        {settings.on && (
          <>
            <form
              noValidate
              className="flex items-start gap-2 pl-12"
              onSubmit={(event) => {
                event.preventDefault()
                save()
              }}
            >
              <Field label={t('alerts.levels')} hint={t('alerts.levels-hint')} error={complained && levels === null ? t('alerts.levels-wrong') : null} className="w-80">
                {(field) => <Input {...field} autoComplete="off" maxLength={40} value={typed ?? settings.at.join(', ')} onChange={({ target }) => { setTyped(target.value) }} />}
              </Field>
              <Button type="submit" variant="outline" className="mt-5" busy={isPending} disabled={typed === null}>
                {t('alerts.save')}
              </Button>
            </form>
            <Choice name="toast" checked={settings.toast} disabled={isPending} onChange={(toast) => { change({ toast }) }} />
            <Choice name="system" checked={settings.system} disabled={isPending} note={desktop === null ? t('alerts.system-browser') : undefined} onChange={(system) => { change({ system }) }} />
            <Choice name="sound" checked={settings.sound} disabled={isPending} onChange={(sound) => { change({ sound }) }}>
              <Button variant="outline" size="sm" onClick={play}>
                <Volume2 aria-hidden />
                {t('alerts.try-sound')}
              </Button>
            </Choice>
          </>
        )}
      </div>
    </Card>
  )
}

const Choice = ({ name, checked, disabled, note, onChange, children }: { name: 'on' | 'toast' | 'system' | 'sound'; checked: boolean; disabled: boolean; note?: string | undefined; onChange: (checked: boolean) => void; children?: ReactNode }) => {
  const { t } = useTranslation('rules')
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Switch aria-label={t(`alerts.${name}`)} aria-describedby={id} checked={checked} disabled={disabled} onChange={onChange} />
      <span className="min-w-0">
        <span className="block font-medium">{t(`alerts.${name}`)}</span>
        <span id={id} className="block text-sm text-faint">{note ?? t(`alerts.${name}-text`)}</span>
      </span>
      {children}
    </div>
  )
}

/** The typed levels, `50, 80, 95`, in percent, distinct and ascending; null if invalid or too many. */
export const readLevels = (typed: string): number[] | null => {
  const parts = typed.split(/[\s,;%]+/).filter((part) => part !== '')
  const read = alertSettings.shape.at.safeParse([...new Set(parts.map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)))].sort((one, other) => one - other))
  return read.success ? read.data : null
}
