import { callApi, invalidateAll, invalidateRoutes } from '#renderer/lib/api.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell, HeaderCell, RowHeaderCell, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { backupRoutes, type Backup, type JournalHolds } from '#shared/api/backups.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { megabytes } from './megabytes.ts'
import { RestorePreview } from './restore-preview.tsx'

/**
 * Says what a restore does to the current journal, asks whether to keep what was added since, and restores; if the
 * journal is damaged, the whole backup at the next start. `free` is the free space in the backup folder in bytes, null
 * if unknown.
 */
export const RestoreDialog = ({ backup, now, damaged, free, onClose }: { backup: Backup; now: JournalHolds | null; damaged: boolean; free: number | null; onClose: () => void }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const renewSession = useRenewSession()
  const mirrored = useSession().session?.cloud === 'mirrored'
  const [whole, setWhole] = useState(false)
  const restoring = useMutation({
    mutationFn: () => callApi(backupRoutes.restoreBackup, { body: { name: backup.name, whole } }),
    onSuccess: async ({ when }) => {
      onClose()
      if (when === 'next-start') return invalidateRoutes(client, backupRoutes.backups)
      toast({ title: t('restored'), text: t('restored-text'), stays: true })
      // Everything loaded from the journal may have changed, even the time zone of its days.
      await Promise.all([renewSession(), invalidateAll(client)])
    },
  })
  const effects = damaged
    ? [t('dialog.place'), t('dialog.place-kept'), t('dialog.place-signs-in'), ...(mirrored ? [t('dialog.place-mirrored')] : [])]
    : [...(mirrored ? [t('dialog.mirrored')] : []), t('dialog.kept'), t('dialog.stays')]
  const isTight = free !== null && free < backup.restoreNeeds
  return (
    <Dialog
      open
      {...(restoring.isPending ? {} : { onClose })}
      width="lg"
      title={t('dialog.title', { at: format.fullDateTime(backup.at) })}
      footer={
        <AskButtons
          cancel={t('dialog.cancel')}
          onCancel={onClose}
          locked={restoring.isPending}
          confirm={damaged ? t('dialog.confirm-place') : t('dialog.confirm')}
          variant="destructive"
          busy={restoring.isPending}
          disabled={isTight}
          onClick={() => { restoring.mutate() }}
        />
      }
    >
      {damaged ? (
        <Comparison then={backup.holds} now={now} />
      ) : (
        <div className="flex flex-col gap-3">
          <Ways whole={whole} onChange={setWhole} disabled={restoring.isPending} />
          <RestorePreview name={backup.name} whole={whole} />
        </div>
      )}
      <ul className="mt-4 flex list-disc flex-col gap-1.5 pl-5">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      {isTight && (
        <Notice tone="warn" className="mt-3">
          {t('dialog.room', { needed: format.quantity(Math.ceil(megabytes(backup.restoreNeeds))), free: format.quantity(Math.floor(megabytes(free))) })}
        </Notice>
      )}
      {restoring.isPending && (
        <div className="mt-4 flex flex-col gap-1.5 pb-1">
          <div role="progressbar" aria-label={t('dialog.working')} className="h-1.25 animate-pulse rounded-full bg-accent" />
          <p role="status" className="text-sm text-muted">{t('dialog.working')}</p>
        </div>
      )}
      {restoring.error && (
        <Notice tone="error" className="mt-3">
          {words(restoring.error)}
        </Notice>
      )}
    </Dialog>
  )
}

/** Whether to keep what was added since: the safe choice is first. */
const Ways = ({ whole, onChange, disabled }: { whole: boolean; onChange: (whole: boolean) => void; disabled: boolean }) => {
  const { t } = useTranslation('backups')
  const id = useId()
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2">
      <legend className="sr-only">{t('dialog.way')}</legend>
      {(['keep', 'whole'] as const).map((way) => (
        <div key={way} className="flex items-start gap-2.5">
          <input type="radio" id={`${id}-${way}`} name={id} checked={whole === (way === 'whole')} onChange={() => { onChange(way === 'whole') }} aria-describedby={`${id}-${way}-text`} className="mt-0.75 size-4 shrink-0 accent-accent" />
          <div>
            <label htmlFor={`${id}-${way}`} className="font-medium">{t(`dialog.${way}`)}</label>
            <p id={`${id}-${way}-text`} className="text-muted">{t(`dialog.${way}-text`)}</p>
          </div>
        </div>
      ))}
    </fieldset>
  )
}

const Comparison = ({ then, now }: { then: JournalHolds | null; now: JournalHolds | null }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  const count = (figure: number | undefined): string => (figure === undefined ? t('none') : format.count(figure))
  const day = (named: string | null | undefined): string => (named ? format.fullDay(named) : t('none'))
  const lines = [
    { name: t('pairs'), then: count(then?.pairs), now: count(now?.pairs) },
    { name: t('last'), then: day(then?.lastTradeDay), now: day(now?.lastTradeDay) },
    { name: t('accounts'), then: count(then?.accounts), now: count(now?.accounts) },
  ]
  return (
    <div className="rounded-md border border-hairline">
      <Table aria-label={t('dialog.compare')}>
        <thead>
          <tr>
            <HeaderCell unseen>{t('dialog.compare')}</HeaderCell>
            <HeaderCell end>{t('dialog.then')}</HeaderCell>
            <HeaderCell end>{t('dialog.now')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <RowHeaderCell>{line.name}</RowHeaderCell>
              <Cell end className="tabular-nums">{line.then}</Cell>
              <Cell end quiet className="tabular-nums">{line.now}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
