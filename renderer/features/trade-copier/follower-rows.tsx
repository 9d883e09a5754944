import { classNames } from '#renderer/lib/class-names.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Cell } from '#renderer/ui/table.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import type { ContractStance, CopyGroup, FollowerRule, LiveFollower } from '#shared/api/copier.ts'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '#renderer/lib/use-now.ts'
import { isUnprotected } from '#shared/copier/trouble.ts'
import { LineMark, StandingMark } from './state-mark.tsx'
import { notMirroredOf, ownReasonsOf, protectionOf, reasonsOf, statusOf, waitsForUser } from './follower-status.ts'
import { useAccountNames } from './use-account-names.ts'
import type { CopierAct } from './use-copier-acts.ts'
import { useFigures } from './use-figures.ts'
import { useOrderType } from './use-order-type.ts'

/** The columns of a group's followers. */
export const followerColumns = ['account', 'state', 'contract', 'target', 'actual', 'pending', 'difference', 'day', 'latency'] as const

type Props = { readonly group: CopyGroup; readonly rule: FollowerRule | null; readonly follower: LiveFollower; readonly busy: boolean; readonly act: (act: CopierAct) => void }

/** One follower: a row for each of its contracts, and below what is wrong and what can be done about it. */
export const FollowerRows = memo(({ group, rule, follower, busy, act }: Props) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf, accountOf } = useAccountNames()
  const figures = useFigures()
  const status = statusOf(follower)
  const account = accountOf(follower.account)
  const name = nameOf(follower.account)
  const [first = null, ...others] = follower.contracts
  const rows = Math.max(1, follower.contracts.length)
  const about = [rule?.invert === true ? t('inverted') : null, account?.environment === 'live' ? t('environment.live') : null, account?.firm ?? null, rule === null ? null : t('ratio-of', { num: rule.ratio.num, den: rule.ratio.den })].filter((part) => part !== null).join(' · ')
  // Connections are open only while armed, and the state's icon shows that a decision is needed.
  const shown = status === 'off' ? null : follower.line !== 'up' ? 'line' : status === 'asks' ? null : 'reason'
  return (
    <tbody className="border-t border-hairline first-of-type:border-0 [&_td]:border-0" data-account={follower.account}>
      <tr className="[&>td]:h-13 [&>td]:py-1.5">
        <Cell rowSpan={rows} className="pl-4! align-top">
          <span className="block font-medium"><CutName name={name} /></span>
          <span className="block truncate text-sm text-faint" title={rule?.invert === true ? `${about}. ${t('inverted-text')}` : about}>{about}</span>
        </Cell>
        <Cell rowSpan={rows} className="align-top">
          <StandingMark status={status} />
          <span className="mt-0.5 flex h-4.5 items-center gap-2">
            {shown === 'line' && <LineMark line={follower.line} />}
            {shown === 'reason' && <Briefly follower={follower} />}
          </span>
        </Cell>
        <Stance stance={first} known={status !== 'off'} />
        <Cell end rowSpan={rows} className="align-top">
          {follower.day === null ? <span className="text-faint">{t('none')}</span> : <Day day={follower.day} />}
        </Cell>
        <Cell end quiet rowSpan={rows} className="align-top pr-3! min-[75rem]:pr-4!">
          {follower.latencyMs === null ? <span className="text-faint">{t('none')}</span> : figures.ms(follower.latencyMs)}
        </Cell>
      </tr>
      {others.map((stance) => (
        <tr className="[&>td]:h-11 [&>td]:py-1.5" key={`${stance.leaderContract} ${stance.contract}`}>
          <Stance stance={stance} known />
        </tr>
      ))}
      {hasNote(follower) && (
        <tr>
          <td colSpan={followerColumns.length} className="px-4! pb-3">
            <FollowerNote group={group} name={name} follower={follower} busy={busy} act={act} />
          </td>
        </tr>
      )}
    </tbody>
  )
})
FollowerRows.displayName = 'FollowerRows'

/** One contract of a follower; the position of a follower that is off is unknown. */
const Stance = ({ stance, known }: { stance: ContractStance | null; known: boolean }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  if (stance === null) {
    return (
      <>
        <Cell quiet className="align-top text-faint!">{known ? t('flat') : t('none')}</Cell>
        {(['target', 'actual', 'pending', 'difference'] as const).map((column) => <Cell key={column} end className="align-top text-faint">{known && column !== 'pending' ? figures.position(0) : t('none')}</Cell>)}
      </>
    )
  }
  const { contract, leaderContract, leader, target, actual, yours, simulated, inFlight, difference, exits, unprotected, retryAt } = stance
  const exitWords = [
    ...(unprotected ? [t('no-stop')] : exits.refused === null ? [] : [t('exit-refused')]),
    ...(exits.working > 0 ? [t('exits-working', { count: exits.working })] : []),
    ...(exits.waiting > 0 ? [t('exits-pending', { count: exits.waiting })] : []),
  ].join(' · ')
  const exitTone = unprotected || exits.refused !== null ? 'text-loss' : exits.waiting > 0 ? 'text-warn' : 'text-faint'
  return (
    <>
      <Cell className="align-top" title={t('leader-holds', { contract: leaderContract, net: figures.position(leader) })}>
        <span className="block truncate">{contract}</span>
        {exitWords !== '' && <span className={classNames('block text-sm whitespace-normal', exitTone)}>{exitWords}</span>}
        {retryAt !== null && <RetryIn at={retryAt} />}
      </Cell>
      <Cell end className="align-top">{figures.position(target)}</Cell>
      <Cell end className="align-top font-medium">
        {figures.position(actual)}
        {yours !== 0 && <span title={t('yours-text')} className="block text-sm font-normal whitespace-normal text-muted">{t('yours', { net: figures.position(yours) })}</span>}
        {simulated !== 0 && <span title={t('simulated-text')} className="block text-sm font-normal whitespace-normal text-muted">{t('simulated', { net: figures.position(simulated) })}</span>}
      </Cell>
      <Cell end quiet className="align-top">{inFlight === 0 ? <span className="text-faint">{t('none')}</span> : figures.position(inFlight)}</Cell>
      <Cell end className="align-top">{difference === 0 ? <span className="text-faint">{figures.position(0)}</span> : <span className="font-semibold text-warn">{figures.position(difference)}</span>}</Cell>
    </>
  )
}

/** Why a follower waits, in a word or two; the full sentence shows on hover or focus. */
const Briefly = ({ follower }: { follower: LiveFollower }) => {
  const { t } = useTranslation('trade-copier')
  const [reason] = reasonsOf(follower)
  if (follower.lock !== null) return <span title={t(`lock-brief.${follower.lock}`)} className="truncate text-sm text-faint">{t(`lock-brief.${follower.lock}`)}</span>
  if (reason === undefined) return null
  return (
    <Tooltip text={t(`why.${reason.why}`)}>
      <button type="button" title={t(`why-brief.${reason.why}`)} className="min-w-0 truncate rounded-sm text-sm text-faint underline decoration-dotted underline-offset-3">
        {t(`why-brief.${reason.why}`)}
      </button>
    </Tooltip>
  )
}

const staleAfterMs = 15_000

const Day = ({ day: { net, currency, openAgeMs } }: { day: NonNullable<LiveFollower['day']> }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  return (
    <>
      <Pnl value={net} />
      {openAgeMs === null || openAgeMs < staleAfterMs ? (
        <span className="block text-sm text-faint">{figures.currencyName(currency)}</span>
      ) : (
        <span className="block truncate text-sm text-warn" title={t('day-age-text')}>{t('day-age', { age: figures.duration(openAgeMs) })}</span>
      )}
    </>
  )
}

/** Counts down to the next try (UTC ms). */
const RetryIn = ({ at }: { at: number }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  const seconds = Math.ceil((at - useNow(1_000)) / 1_000)
  return <span className="block truncate text-sm text-muted">{seconds > 0 ? t('retry-in', { seconds: figures.count(seconds) }) : t('retry-now')}</span>
}

/** Whether a follower needs a note below its row. */
const hasNote = (follower: LiveFollower): boolean => {
  const status = statusOf(follower)
  if (status === 'off') return false
  const apart = status === 'out-of-sync' && ownReasonsOf(follower).length > 0
  return apart || status === 'locked' || status === 'unprotected' || follower.hedgedBy !== null || protectionOf(follower).length > 0 || notMirroredOf(follower).length > 0
}

type NoteProps = { readonly group: Pick<CopyGroup, 'id' | 'unprotected'>; readonly name: string; readonly follower: LiveFollower; readonly busy: boolean; readonly act: (act: CopierAct) => void }

/** What is wrong with a follower in plain words, and what the user can do about it. */
const FollowerNote = ({ group, name, follower, busy, act }: NoteProps) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const { account, lock, hedgedBy } = follower
  const status = statusOf(follower)
  const reasons = status === 'pending' || status === 'in-sync' ? [] : ownReasonsOf(follower)
  return (
    <Notice tone={lock !== null || status === 'unprotected' ? 'error' : 'warn'} className="whitespace-normal">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-60 grow basis-80 flex-col gap-1">
          <Protection follower={follower} setting={group.unprotected} />
          {lock !== null && <p>{t(`lock.${lock}`)}</p>}
          {hedgedBy !== null && <p>{t('hedged-by', { account: nameOf(hedgedBy.account), product: hedgedBy.product })}</p>}
          {reasons.map(({ why, contracts }) => (
            <p key={why}>
              <Contracts names={contracts} />
              {t(why === 'line-down' && follower.line === 'connecting' ? 'why.line-connecting' : `why.${why}`)}
            </p>
          ))}
          <NotMirrored follower={follower} />
        </div>
        <div className="flex flex-wrap gap-2">
          {lock !== null && (
            <Button variant="outline" size="sm" disabled={busy} aria-label={t('unlock-of', { account: name })} onClick={() => { act({ do: 'unlock', id: group.id, account }) }}>
              {t('unlock')}
            </Button>
          )}
          {waitsForUser(follower) &&
            (['bring-back', 'leave'] as const).map((answer) => (
              <Button
                key={answer}
                variant="outline"
                size="sm"
                disabled={busy || (lock !== null && answer === 'bring-back')}
                title={t(`settle-text.${answer}`)}
                aria-label={t(`settle-of.${answer}`, { account: name })}
                onClick={() => { act({ do: 'settle', id: group.id, account, answer }) }}
              >
                {t(`settle.${answer}`)}
              </Button>
            ))}
        </div>
      </div>
    </Notice>
  )
}

const Contracts = ({ names }: { names: readonly string[] }) => (names.length === 0 ? null : <span className="font-semibold">{names.join(', ')} </span>)

/** Positions without their stop and rejected exits: what happened, the broker's words, and what happens next. */
const Protection = ({ follower, setting }: { follower: LiveFollower; setting: CopyGroup['unprotected'] }) => {
  const { t } = useTranslation('trade-copier')
  const contracts = protectionOf(follower)
  // The state may be known before its contract is.
  if (contracts.length === 0) return isUnprotected(follower) ? <p>{[t('protection.bare'), t(`protection.${setting}`)].join(' ')}</p> : null
  return contracts.map(({ contract, bare, refused }) => (
    <p key={contract}>
      <Contracts names={[contract]} />
      {[t(bare ? 'protection.bare' : 'protection.refused'), ...(refused === null ? [] : [t('protection.said', { text: refused })]), t(bare ? `protection.${setting}` : 'protection.retries')].join(' ')}
    </p>
  ))
}

/** The leader's orders that this follower does not get, listed before they matter. */
const NotMirrored = ({ follower }: { follower: LiveFollower }) => {
  const { t } = useTranslation('trade-copier')
  const orderType = useOrderType()
  return notMirroredOf(follower).map(({ type, why, contracts }) => (
    <p key={`${type} ${why}`}>
      <Contracts names={contracts} />
      {t('not-mirrored', { order: orderType(type), why: t(`not-mirrored-why.${why}`) })}
    </p>
  ))
}
