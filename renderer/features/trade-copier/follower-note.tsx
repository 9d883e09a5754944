import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { CopyGroup, LiveFollower } from '#shared/api/copier.ts'
import { isUnprotected } from '#shared/copier/trouble.ts'
import { useTranslation } from 'react-i18next'
import { notMirroredOf, ownReasonsOf, protectionOf, standingOf, waitsForUser } from './standing.ts'
import { useAccountNames } from './use-account-names.ts'
import type { CopierAct } from './use-copier-acts.ts'
import { useOrderType } from './use-order-type.ts'

/** Whether a follower needs a note below its row. */
export const hasNote = (follower: LiveFollower): boolean => {
  const standing = standingOf(follower)
  if (standing === 'off') return false
  const apart = standing === 'out-of-sync' && ownReasonsOf(follower).length > 0
  return apart || standing === 'locked' || standing === 'unprotected' || follower.hedgedBy !== null || protectionOf(follower).length > 0 || notMirroredOf(follower).length > 0
}

type Given = { readonly group: Pick<CopyGroup, 'id' | 'unprotected'>; readonly name: string; readonly follower: LiveFollower; readonly busy: boolean; readonly act: (act: CopierAct) => void }

/** What is wrong with a follower in plain words, and what the user can do about it. */
export const FollowerNote = ({ group, name, follower, busy, act }: Given) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const { account, lock, hedgedBy } = follower
  const standing = standingOf(follower)
  const reasons = standing === 'pending' || standing === 'in-sync' ? [] : ownReasonsOf(follower)
  return (
    <Notice tone={lock !== null || standing === 'unprotected' ? 'error' : 'warn'} className="whitespace-normal">
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
