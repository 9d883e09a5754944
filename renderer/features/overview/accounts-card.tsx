import { paths } from '#renderer/lib/paths.ts'
import { standingsQuery } from '#renderer/lib/rules.ts'
import { stageName } from '#renderer/lib/stage-name.ts'
import { figuresAge } from '#renderer/lib/figures-age.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useFiguresAge } from '#renderer/lib/use-figures-age.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { healthCards, type HealthCard } from './health-cards.ts'

const shownAtFirst = 5
const tickMs = 10_000

/** Every account with its balance and the limit that is nearest, those nearest first; `expected` accounts keep their place while they load. Nothing where there is no account. */
export const AccountsCard = ({ expected, className }: { expected: number; className?: string }) => {
  const { t } = useTranslation('rules')
  const { data } = useQuery(standingsQuery)
  const [all, setAll] = useState(false)
  const now = useNow(tickMs)
  const cards = data === undefined ? null : healthCards(data.standings)
  const [count, shown] = [cards?.length ?? expected, all ? cards : cards?.slice(0, shownAtFirst)]
  if (count === 0) return null
  return (
    <Card
      title={t('health.title')}
      note={t('health.note')}
      {...(className === undefined ? {} : { className })}
      actions={
        count > shownAtFirst && (
          <Button variant="link" size="sm" aria-expanded={all} onClick={() => { setAll(!all) }}>
            {all ? t('health.fewer') : t('health.all', { count })}
          </Button>
        )
      }
    >
      <ul className="divide-y divide-hairline">
        {shown?.map((card) => <Account key={card.standing.account} card={card} now={now} />) ?? Array.from({ length: Math.min(count, shownAtFirst) }, (_, at) => <Waiting key={at} />)}
      </ul>
    </Card>
  )
}

const row = 'flex min-h-13 flex-col justify-center gap-1.5 px-4 py-2'

const Account = ({ card: { standing, nearest }, now }: { card: HealthCard; now: number }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const age = useFiguresAge()(standing, now)
  const { account, name, balance, currency, states } = standing
  const stage = stageName(standing)
  const about = stage === null ? age : `${t(`stage.${stage}`)} · ${age}`
  return (
    <li className="min-w-0">
      <Link to={`${paths.positionScanner}?${new URLSearchParams({ tab: 'rules', account, ...(states === null ? { part: 'set' } : {}) }).toString()}`} className={`${row} -outline-offset-2 hover:bg-raised`}>
        <span className="flex items-baseline gap-2">
          {/* In one piece, since it is the link's name; cut at its beginning. */}
          <span title={name} className="max-w-1/2 shrink-0 truncate text-left proportional-nums [direction:rtl]"><bdi>{name}</bdi></span>
          <span title={about} className="min-w-0 grow truncate text-xs text-faint">{about}</span>
          <span className="shrink-0 tabular-nums">{balance === null ? t('none') : format.wholeMoney(balance, currency)}</span>
        </span>
        {nearest === null ? (
          <span className={`text-xs ${states === null ? 'text-accent' : 'text-muted'}`}>{states === null ? t('health.set') : t('health.no-limit')}</span>
        ) : (
          <RuleBar state={nearest} currency={currency} compact dim={figuresAge(standing, now).is === 'old'} />
        )}
      </Link>
    </li>
  )
}

const Waiting = () => (
  <li className={row}>
    <Skeleton className="h-3 w-40" />
    <Skeleton className="h-2 w-full opacity-50" />
  </li>
)
