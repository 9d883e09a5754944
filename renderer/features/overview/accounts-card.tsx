import { paths } from '#renderer/lib/paths.ts'
import { standingsQuery } from '#renderer/lib/rules.ts'
import { toldWhen } from '#renderer/lib/told-when.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useToldWhen } from '#renderer/lib/use-told-when.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
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

const row = 'grid min-h-13 grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_8.5rem] items-center gap-4 px-4 py-2'

const Account = ({ card: { standing, nearest }, now }: { card: HealthCard; now: number }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const told = useToldWhen()(standing, now)
  const { account, name, stage, balance, currency, states } = standing
  return (
    <li className="min-w-0">
      <Link to={`${paths.positionScanner}?${new URLSearchParams({ tab: 'rules', account }).toString()}`} className={`${row} -outline-offset-2 hover:bg-raised`}>
        <span className="flex min-w-0 flex-col">
          <CutName name={name} />
          <span title={t(`stage.${stage}`)} className="truncate text-xs text-muted">{t(`stage.${stage}`)}</span>
        </span>
        {nearest === null ? (
          <span className={`truncate text-sm ${states === null ? 'text-accent' : 'text-muted'}`}>{states === null ? t('health.set') : t('health.no-limit')}</span>
        ) : (
          <RuleBar state={nearest} currency={currency} compact dim={toldWhen(standing, now).is === 'old'} />
        )}
        <span className="flex flex-col items-end">
          <span className="text-muted tabular-nums">{balance === null ? t('none') : format.wholeMoney(balance, currency)}</span>
          <span className="text-xs text-faint">{told}</span>
        </span>
      </Link>
    </li>
  )
}

const Waiting = () => (
  <li className={row}>
    <Skeleton className="h-3 w-24" />
    <Skeleton className="h-2 w-full opacity-50" />
    <Skeleton className="h-3 w-14 justify-self-end" />
  </li>
)
