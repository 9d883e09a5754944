import { figuresAge } from '#renderer/lib/figures-age.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useFiguresAge } from '#renderer/lib/use-figures-age.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import type { AccountStanding } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { Ruler } from 'lucide-react'
import { useTranslation } from 'react-i18next'

const tickMs = 10_000

/** One account now: its balance, its day, and every rule's state. */
export const RulesNow = ({ standing, onSet }: { standing: AccountStanding | null; onSet: () => void }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const ageOf = useFiguresAge()
  const now = useNow(tickMs)
  if (standing?.states === null || standing === null) {
    return <EmptyState Icon={Ruler} title={t('now.none')} text={t('now.none-text')} action={<Button onClick={onSet}>{t('now.set')}</Button>} />
  }
  const { balance, dayNet, dayNetOf, currency, states } = standing
  const brokersOnly = states.length > 0 && states.every(({ by }) => by === 'broker')
  const isOver = dayNetOf < tradingDay(now)
  return (
    <div className="flex flex-col gap-3.5">
      <StatStrip className="shrink-0">
        <Stat label={t('balance')} value={balance === null ? t('none') : format.fullMoney(balance, currency)} note={ageOf(standing, now)} />
        <Stat label={t(isOver ? 'day-net-latest' : 'day-net')} value={dayNet === null ? t('none') : <Pnl value={dayNet} />} note={isOver ? format.longDay(dayNetOf) : undefined} />
      </StatStrip>
      <Card title={t('now.title')} note={t(brokersOnly ? 'now.brokers-only' : 'now.note')} actions={brokersOnly && <Button size="sm" onClick={onSet}>{t('now.set')}</Button>}>
        <div className="grid grid-cols-2 gap-x-8 gap-y-5 p-4 xl:grid-cols-3">
          {states.map((state) => (
            <RuleBar key={state.rule} state={state} currency={currency} dim={figuresAge(standing, now).is === 'old'} />
          ))}
        </div>
      </Card>
    </div>
  )
}
