import { copierQuery } from '#renderer/lib/copier.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import type { CopierLive, CopyGroup } from '#shared/api/copier.ts'
import type { CloseReport, LivePosition, LivePositionAccount } from '#shared/api/positions.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { compareNames } from './grouping.ts'
import { Held } from './live-figures.tsx'
import type { Closing } from './use-closing.ts'

type Props = {
  readonly closing: Closing
  /** Null if the account is no longer reported. */
  readonly account: LivePositionAccount | null
  /** The account's latest positions. */
  readonly positions: readonly LivePosition[]
  readonly onGo: () => void
  readonly onClose: () => void
}

/** Asks once before a position is closed or an account flattened, says what follows, then the result. */
export const CloseDialog = ({ closing, account, positions, onGo, onClose }: Props) => {
  const { t } = useTranslation('position-scanner')
  const words = useProblemText()
  const { contract, phase, report, failure } = closing
  const name = account?.name ?? closing.account
  const held = positions.filter((position) => contract === null || position.contract === contract).toSorted((one, other) => compareNames(one.contract, other.contract))
  const good = report?.outcome === 'flat' || report?.outcome === 'was-flat'
  const what = contract === null ? 'flatten' : 'close'
  const outcome = report === null ? t('not-done') : t(`outcome-text.${report.outcome}`, { account: name })
  const title = phase === 'asks' ? t(`dialog-title.${what}`, { account: name, contract: contract ?? '' }) : phase === 'runs' ? t('closing') : outcome
  return (
    <Dialog
      open
      {...(phase === 'runs' ? {} : { onClose })}
      title={title}
      description={phase === 'asks' ? t(`dialog-text.${what}`) : undefined}
      footer={
        phase === 'asks' ? (
          <AskButtons cancel={t('cancel')} onCancel={onClose} confirm={t(`dialog-confirm.${what}`, { account: name, contract: contract ?? '' })} variant="destructive" onClick={onGo} />
        ) : (
          <>
            <span role="status" className="sr-only">
              {title}
            </span>
            {phase === 'done' && !good && (
              <Button variant="destructive" onClick={onGo}>
                {t('again')}
              </Button>
            )}
            <Button key={phase} autoFocus={phase === 'done'} disabled={phase === 'runs'} onClick={onClose}>
              {t('dismiss')}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {phase === 'asks' && account?.line !== 'up' && <Notice tone="warn">{t('closes-blind')}</Notice>}
        {phase === 'asks' && <Followed account={closing.account} />}
        {failure !== null && <Notice tone="error">{words(failure)}</Notice>}
        {report === null ? <Holdings held={held} running={phase === 'runs'} /> : <Outcome report={report} />}
      </div>
    </Dialog>
  )
}

/** What the copier does if the account leads or follows in an active group. */
const Followed = ({ account }: { account: string }) => {
  const { t } = useTranslation('position-scanner')
  // Without a plan for the copier there are no groups either.
  const { data } = useQuery({ ...copierQuery, retry: false, staleTime: 0 })
  const roles = data === undefined ? [] : copierRoles(account, data.groups, data.live)
  return roles.map(({ role, group, followers }) => <Notice key={`${role} ${group}`} tone="warn">{t(`copier.${role}`, { group, count: followers })}</Notice>)
}

const Holdings = ({ held, running }: { held: readonly LivePosition[]; running: boolean }) => {
  const { t } = useTranslation('position-scanner')
  const words = { t, format: useFormat() }
  if (held.length === 0) return running ? <Working /> : <p className="text-muted">{t('nothing-held')}</p>
  return (
    <ul aria-label={t('to-close')} className="flex max-h-80 flex-col divide-y divide-hairline overflow-y-auto rounded-md border border-line">
      {held.map(({ contract, net }) => (
        <li key={contract} className="flex min-h-10 items-center gap-3 px-3 py-1.5">
          <span className="min-w-16 font-medium">{contract}</span>
          <Held words={words} net={net} dim={false} />
          {running && <span className="ml-auto"><Working /></span>}
        </li>
      ))}
    </ul>
  )
}

const Working = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <span className="flex items-center gap-2 text-sm text-muted">
      <Spinner />
      {t('closing-one')}
    </span>
  )
}

const Outcome = ({ report: { outcome, left, detail } }: { report: CloseReport }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const good = outcome === 'flat' || outcome === 'was-flat'
  const Icon = good ? CircleCheck : TriangleAlert
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={good ? 'gain' : 'loss'}>
          <Icon aria-hidden />
          {t(`outcome.${outcome}`)}
        </Badge>
        {left.length > 0 && <span className="text-sm text-muted">{t('left', { what: left.map(({ contract, net }) => `${contract} ${format.signedWhole(net)}`).join(', ') })}</span>}
      </div>
      {detail !== null && <p className="text-sm text-muted">{t('broker-said', { text: detail })}</p>}
    </div>
  )
}

/** An account's role in a group that is copying for real now. */
type CopierRole = { readonly role: 'leader' | 'follower'; readonly group: string; readonly followers: number }

/** An account's roles in the groups that are armed or paused: those that are off or dry runs do not matter for a manual close. */
export const copierRoles = (account: string, groups: readonly CopyGroup[], live: CopierLive): CopierRole[] =>
  groups.flatMap((group): CopierRole[] => {
    const state = live.groups.find(({ id }) => id === group.id)
    if (state === undefined || state.state === 'off' || state.dryRun) return []
    const followers = group.followers.filter(({ on }) => on)
    if (group.leader === account) return [{ role: 'leader', group: group.name, followers: followers.length }]
    return followers.some((follower) => follower.account === account) ? [{ role: 'follower', group: group.name, followers: followers.length }] : []
  })
