import { isEfficiency, useFigureName } from '#renderer/lib/excursion-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { ChangeFilter } from '#renderer/lib/use-trade-filter.ts'
import { everyTrade, limitedFigures, type ExcursionFigure, type FigureSpan, type TradeFilter } from '#shared/stats/filter.ts'
import type { FilterChoices } from '#shared/api/statistics.ts'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { useSpanWords } from './filter-dates.tsx'

/** One active condition: its subject and its value, and the change that removes it. */
export type FilterPart<F> = { readonly key: string; readonly name: string; readonly value: string; readonly without: Partial<F> }

// More chips than this would crowd the line: they are combined.
const singly = 3

/** Every condition of a filter as a removable chip, and a button that removes all; nothing without conditions. */
export const FilterChips = ({ filter, choices, onChange, onClear }: { filter: TradeFilter; choices: FilterChoices; onChange: ChangeFilter; onClear: () => void }) => {
  const parts = useParts(filter, choices)
  return <PartChips parts={parts} onChange={onChange} onClear={onClear} />
}

/** Conditions as removable chips, and a button that removes all; nothing without conditions. */
export const PartChips = <F,>({ parts, onChange, onClear }: { parts: readonly FilterPart<F>[]; onChange: (without: Partial<F>) => void; onClear: () => void }) => {
  const { t } = useTranslation('filter')
  const list = useRef<HTMLUListElement>(null)
  if (parts.length === 0) return null
  return (
    <ul ref={list} tabIndex={-1} aria-label={t('active')} className="flex flex-wrap items-center gap-1.5 outline-none">
      {parts.map(({ key, name, value, without }) => (
        <li key={key} className="inline-flex h-7 max-w-64 items-center gap-1.5 rounded-md border border-line bg-raised pl-2 text-sm whitespace-nowrap text-muted">
          {name}
          <span title={value} className="truncate font-medium text-ink">{value}</span>
          <button
            type="button"
            aria-label={t('remove', { name, value })}
            onClick={() => {
              // The button disappears with its chip: keep the focus among the others.
              list.current?.focus()
              onChange(without)
            }}
            className="grid size-6.5 place-items-center rounded-sm text-faint -outline-offset-2 hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
      <li>
        <Button variant="ghost" size="sm" onClick={onClear} className="px-2">
          {t('clear')}
        </Button>
      </li>
    </ul>
  )
}

/** The conditions of a field that takes several values: a chip for each, or one that counts them. */
export const severalParts = <Key extends string, Value extends string | number>(key: Key, values: readonly Value[], name: string, all: string, label: (value: Value) => string) => {
  const left = (kept: readonly Value[]) => ({ [key]: kept }) as Record<Key, readonly Value[]>
  if (values.length > singly) return [{ key, name: all, value: String(values.length), without: left([]) }]
  return values.map((value) => ({ key: `${key} ${String(value)}`, name, value: label(value), without: left(values.filter((one) => one !== value)) }))
}

/** The ends of an hour of the day, as clocks show them. */
export const hourEnds = (hour: number): { readonly from: string; readonly to: string } => ({ from: String(hour).padStart(2, '0'), to: String((hour + 1) % 24).padStart(2, '0') })

const useParts = (filter: TradeFilter, choices: FilterChoices): FilterPart<TradeFilter>[] => {
  const { t } = useTranslation('filter')
  const words = useSpanWords()
  const figureName = useFigureName()
  const format = useFormat()
  const { from, to, symbol, account, leaderOnly, warnedOnly, excursions, pricedOnly, zone } = filter
  const span = (figure: ExcursionFigure, { from: least, to: most }: FigureSpan): string => {
    const text = (value: string): string => (isEfficiency(figure) ? `${value}%` : format.money(value))
    return least === null ? `≤ ${text(most ?? '0')}` : most === null ? `≥ ${text(least)}` : `${text(least)} – ${text(most)}`
  }
  return [
    ...(from === null && to === null ? [] : [{ key: 'dates', name: t('dates'), value: words(filter), without: { from: null, to: null } }]),
    ...(symbol === '' ? [] : [{ key: 'symbol', name: t('symbol-has'), value: symbol, without: { symbol: '' } }]),
    ...(account === '' ? [] : [{ key: 'account', name: t('account-has'), value: account, without: { account: '' } }]),
    ...severalParts('accounts', filter.accounts, t('account'), t('accounts'), (key) => choices.accounts.find((one) => one.key === key)?.name ?? key),
    ...severalParts('symbols', filter.symbols, t('symbol'), t('symbols'), String),
    ...severalParts('sides', filter.sides, t('sides'), t('sides'), (side) => t(`side.${side}`)),
    ...severalParts('tags', filter.tags, t('tag'), t('tags'), String),
    ...severalParts('weekdays', filter.weekdays, t(`weekday-of.${filter.timedBy}`), t('weekdays'), format.weekday),
    ...severalParts('hours', filter.hours, t(`hour-of.${filter.timedBy}`), t('hours'), (hour) => t('hour-in', { ...hourEnds(hour), place: zone.split('/').at(-1)?.replaceAll('_', ' ') })),
    ...severalParts('sessions', filter.sessions, t(`session-of.${filter.timedBy}`), t('sessions'), (session) => t(`session.${session}`)),
    ...(leaderOnly ? [{ key: 'leader', name: t('copies'), value: t('left-out'), without: { leaderOnly: everyTrade.leaderOnly } }] : []),
    ...limitedFigures(filter).map((figure) => ({ key: figure, name: figureName(figure), value: span(figure, excursions[figure]), without: { excursions: { ...excursions, [figure]: everyTrade.excursions[figure] } } })),
    ...(pricedOnly ? [{ key: 'priced', name: t('prices'), value: t('stored'), without: { pricedOnly: false } }] : []),
    ...(warnedOnly ? [{ key: 'warned', name: t('uncertain'), value: t('only'), without: { warnedOnly: everyTrade.warnedOnly } }] : []),
  ]
}
