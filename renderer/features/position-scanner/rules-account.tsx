import { figuresAge } from '#renderer/lib/figures-age.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { useFiguresAge } from '#renderer/lib/use-figures-age.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { StageMenu } from '#renderer/ui/stage-menu.tsx'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import type { AccountStanding } from '#shared/api/rules.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { ArrowLeft, Ruler } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { OddsPanel } from './odds-panel.tsx'
import { ReplayPanel } from './replay-panel.tsx'
import { RulesEditor } from './rules-editor.tsx'
import type { RulesRow } from './rules-list.tsx'
import { useRulesDraft } from './use-rules-form.ts'

/** The parts of an account's rules; one shows at a time. */
export const parts = ['now', 'set', 'history', 'odds'] as const
export type RulesPart = (typeof parts)[number]

/** One account: its current rule states, its rules to edit, its past under them, and its odds; takes the focus after navigation (`led`). */
export const RulesAccount = ({ row, rows, part, led, onPart, onChoose }: { row: RulesRow; rows: readonly RulesRow[]; part: RulesPart; led: boolean; onPart: (part: RulesPart) => void; onChoose: (account: string | null) => void }) => {
  const { t } = useTranslation('rules')
  const { rules, standing, name } = row
  const draft = useRulesDraft(rules, standing?.currency ?? 'USD', standing?.stage ?? rules.stage)
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="ghost" size="sm" autoFocus={led} onClick={() => { onChoose(null) }}>
          <ArrowLeft aria-hidden />
          {t('all-accounts')}
        </Button>
        <Select aria-label={t('account')} className="max-w-72" value={rules.account} onChange={onChoose} options={rows.map((one) => ({ value: one.rules.account, label: one.name }))} />
        {standing?.firm && (
          <span className="flex items-center gap-2 text-muted">
            <Monogram letters={monogram(standing.firm)} />
            {standing.firm}
          </span>
        )}
        <StageMenu name={name} rules={rules} standing={standing} />
        {draft.changed && <Badge tone="warn">{t('form.unsaved')}</Badge>}
        <Segmented label={t('parts')} className="ml-auto" value={part} onChange={onPart} options={parts.map((value) => ({ value, label: t(`part.${value}`) }))} />
      </div>
      {part === 'now' && <RulesNow standing={standing} onSet={() => { onPart('set') }} />}
      {part === 'set' && <RulesEditor draft={draft} name={name} standing={standing} kept={rules.set !== null} />}
      {part === 'history' && <ReplayPanel row={row} onSet={() => { onPart('set') }} />}
      {part === 'odds' && <OddsPanel row={row} onSet={() => { onPart('set') }} />}
    </>
  )
}

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
