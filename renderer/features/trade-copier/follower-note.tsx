import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { LiveFollower } from '#shared/api/copier.ts'
import { useTranslation } from 'react-i18next'
import { ownReasonsOf, waitsForUser } from './standing.ts'
import { useAccountNames } from './use-account-names.ts'
import type { CopierAct } from './use-copier-acts.ts'

/** What is amiss with a follower in plain words, and what its user can do about it. */
export const FollowerNote = ({ groupId, name, follower, busy, act }: { groupId: string; name: string; follower: LiveFollower; busy: boolean; act: (act: CopierAct) => void }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const { account, lock, hedgedBy } = follower
  const reasons = ownReasonsOf(follower)
  return (
    <Notice tone={lock === null ? 'warn' : 'error'} className="whitespace-normal">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-60 grow basis-80 flex-col gap-1">
          {lock !== null && <p>{t(`lock.${lock}`)}</p>}
          {hedgedBy !== null && <p>{t('hedged-by', { account: nameOf(hedgedBy.account), product: hedgedBy.product })}</p>}
          {reasons.map(({ why, contracts }) => (
            <p key={why}>
              {contracts.length > 0 && <span className="font-semibold">{contracts.join(', ')} </span>}
              {t(why === 'line-down' && follower.line === 'connecting' ? 'why.line-connecting' : `why.${why}`)}
            </p>
          ))}
        </div>
        <div className="flex flex-wrap gap-2">
          {lock !== null && (
            <Button variant="outline" size="sm" disabled={busy} aria-label={t('unlock-of', { account: name })} onClick={() => { act({ do: 'unlock', id: groupId, account }) }}>
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
                onClick={() => { act({ do: 'settle', id: groupId, account, answer }) }}
              >
                {t(`settle.${answer}`)}
              </Button>
            ))}
        </div>
      </div>
    </Notice>
  )
}
