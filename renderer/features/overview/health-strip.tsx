import { paths } from '#renderer/lib/paths.ts'
import { standingsQuery } from '#renderer/lib/rules.ts'
import { toldWhen } from '#renderer/lib/told-when.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useToldWhen } from '#renderer/lib/use-told-when.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { StageMark } from '#renderer/ui/stage-menu.tsx'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { healthCards, type HealthCard } from './health-cards.ts'
import { useHealthOffer } from './health-offer-store.ts'

const shownAtFirst = 8
const tickMs = 10_000

/** How far every account is from its limits, the nearest first; where no account has rules, one line that leads to setting them, until it is put away. */
export const HealthStrip = () => {
  const { t } = useTranslation('rules')
  const { data } = useQuery(standingsQuery)
  const [all, setAll] = useState(false)
  const now = useNow(tickMs)
  if (data === undefined || data.accounts.length === 0) return null
  const cards = healthCards(data.standings)
  if (cards.length === 0) return <Offer />
  const shown = all ? cards : cards.slice(0, shownAtFirst)
  return (
    <section aria-label={t('health.title')} className="shrink-0">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(14.5rem,1fr))] gap-2.5">
        {shown.map((card) => (
          <Account key={card.standing.account} card={card} now={now} />
        ))}
      </ul>
      {cards.length > shownAtFirst && (
        <Button variant="link" size="sm" className="mt-2" aria-expanded={all} onClick={() => { setAll(!all) }}>
          {all ? t('health.fewer') : t('health.all', { count: cards.length })}
        </Button>
      )}
    </section>
  )
}

const Account = ({ card: { standing, nearest }, now }: { card: HealthCard; now: number }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const told = useToldWhen()(standing, now)
  const { account, name, stage, balance, currency } = standing
  return (
    <li className="min-w-0">
      <Link to={`${paths.positionScanner}?${new URLSearchParams({ tab: 'rules', account }).toString()}`} className="flex h-full flex-col gap-2 rounded-lg border border-line bg-surface px-3 py-2.5 hover:border-field">
        <span className="flex items-center justify-between gap-2">
          <span className="min-w-0 font-medium"><CutName name={name} /></span>
          <StageMark stage={stage} />
        </span>
        {nearest === null ? <span className="text-xs text-faint">{t('health.no-limit')}</span> : <RuleBar state={nearest} currency={currency} compact dim={toldWhen(standing, now).is === 'old'} />}
        <span className="mt-auto flex items-baseline justify-between gap-2 text-xs text-faint">
          <span className="text-sm text-muted tabular-nums">{balance === null ? t('none') : format.wholeMoney(balance, currency)}</span>
          <span className="text-right">{told}</span>
        </span>
      </Link>
    </li>
  )
}

const Offer = () => {
  const { t } = useTranslation('rules')
  const { dismissed, dismiss } = useHealthOffer()
  if (dismissed) return null
  return (
    <Notice
      className="shrink-0"
      action={
        <span className="-my-1 flex items-center gap-1">
          <Button asChild variant="link" size="sm">
            <Link to={`${paths.positionScanner}?tab=rules`}>{t('health.set')}</Link>
          </Button>
          <Button variant="ghost" size="icon" className="size-6" aria-label={t('health.dismiss')} onClick={dismiss}>
            <X aria-hidden />
          </Button>
        </span>
      }
    >
      {t('health.offer')}
    </Notice>
  )
}
