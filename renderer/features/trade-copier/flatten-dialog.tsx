import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import type { CopierLive } from '#shared/api/copier.ts'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { flattenRows, type FlattenRow } from './flatten-rows.ts'
import { knownReason } from './ledger-rows.ts'
import { DryRunMark } from './state-mark.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'
import type { Flattening } from './use-flatten.ts'

/** Asks once before everything is closed, then shows each account's progress. */
export const FlattenDialog = ({ flattening, live, onGo, onClose }: { flattening: Flattening; live: CopierLive; onGo: () => void; onClose: () => void }) => {
  const { t } = useTranslation('trade-copier')
  const words = useProblemText()
  const { groups, phase, reports, failures } = flattening
  const rows = flattenRows(groups, live, reports)
  const [failure] = failures
  // For a dry run no one checks whether its accounts are really flat.
  const dry = reports.length > 0 && reports.every(({ detail }) => detail === 'dry-run')
  const flat = rows.filter(({ outcome }) => outcome === 'flat' || outcome === 'was-flat').length
  return (
    <Dialog
      open
      {...(phase === 'runs' ? {} : { onClose })}
      title={phase === 'asks' ? t('flatten.title', { groups: groups.map(({ name }) => name).join(', ') }) : t(phase === 'runs' ? 'flatten.running-title' : dry ? 'flatten.dry-done' : flat === rows.length ? 'flatten.all-flat' : 'flatten.not-all-flat')}
      description={phase === 'asks' ? t('flatten.text', { count: rows.length }) : undefined}
      footer={
        phase === 'asks' ? (
          <AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t('flatten.confirm', { count: rows.length })} variant="destructive" onClick={onGo} />
        ) : (
          <>
            <span role="status" className="mr-auto text-sm text-muted">
              {phase === 'runs' ? t('flatten.running') : !dry && t('flatten.done', { flat, count: rows.length })}
            </span>
            {phase === 'done' && flat < rows.length && (
              <Button variant="destructive" onClick={onGo}>
                {t('flatten.again')}
              </Button>
            )}
            <Button key={phase} autoFocus={phase === 'done'} disabled={phase === 'runs'} onClick={onClose}>
              {t('close')}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {phase === 'asks' && groups.every(({ dryRun }) => dryRun) && <Notice>{t('flatten.dry-run')}</Notice>}
        {failure !== undefined && <Notice tone="error">{words(failure)}</Notice>}
        <ul aria-label={t('flatten.accounts')} className="flex max-h-80 flex-col divide-y divide-hairline overflow-y-auto rounded-md border border-line">
          {rows.map((row) => (
            <Account key={row.account} row={row} running={phase === 'runs'} />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

const Account = ({ row: { account, known, left, outcome, detail }, running }: { row: FlattenRow; running: boolean }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const positions = left.map(({ contract, net }) => `${contract} ${figures.position(net)}`).join(', ')
  const good = outcome === 'flat' || outcome === 'was-flat'
  const reason = detail === null ? null : knownReason(detail)
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 px-3 py-1.5">
      <span className="font-medium proportional-nums">{nameOf(account)}</span>
      <span className="text-sm text-muted">{positions === '' && outcome === null && known ? t('flat') : positions}</span>
      <span className="ml-auto">
        {detail === 'dry-run' ? (
          <DryRunMark />
        ) : outcome !== null ? (
          <Badge tone={good ? 'gain' : 'loss'}>
            {good ? <CircleCheck aria-hidden /> : <TriangleAlert aria-hidden />}
            {t(`flatten.outcome.${outcome}`)}
          </Badge>
        ) : (
          running && (
            <span className="flex items-center gap-2 text-sm text-muted">
              <Spinner />
              {positions === '' && known ? t('flatten.checking') : t('flatten.closing')}
            </span>
          )
        )}
      </span>
      {detail !== null && <span className="basis-full text-sm text-muted">{detail === 'waiting' ? t('flatten.still-open') : reason === null ? t('broker-said', { text: detail }) : t(`why.${reason}`)}</span>}
    </li>
  )
}
