import { apiQuery } from '#renderer/lib/api.ts'
import { useShortcut, useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { useTradeFilter, type ChangeFilter } from '#renderer/lib/use-trade-filter.ts'
import { useTyped } from '#renderer/lib/use-typed.ts'
import { statisticsRoutes, type FilterChoices } from '#shared/api/statistics.ts'
import { everyTrade, limitedFigures, type TradeFilter } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { lazy, Suspense, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from './field.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterDates } from './filter-dates.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { accountChoices, MultiChoice } from './multi-choice.tsx'

// Loaded when the panel is first opened.
const FilterMore = lazy(async () => ({ default: (await import('./filter-more.tsx')).FilterMore }))

const none: FilterChoices = { accounts: [], symbols: [], tags: [] }

/**
 * The filter of all screens of trades: two text fields, the rest in panels; active conditions show as chips, `/`
 * focuses the first field. Conditions that a screen sets aside are hidden, and stay in the address. `children` are at
 * the end of the line.
 */
export const FilterBar = ({ setAside = nothing, children }: { setAside?: readonly (keyof TradeFilter)[]; children?: ReactNode }) => {
  const { t } = useTranslation('filter')
  const { filter: whole, change } = useTradeFilter()
  const filter = { ...whole, ...only(setAside, everyTrade) }
  const offers = (name: keyof TradeFilter): boolean => !setAside.includes(name)
  const { data: choices = none } = useQuery({ ...apiQuery(statisticsRoutes.filterChoices), placeholderData: keepPreviousData })
  const first = useRef<HTMLInputElement>(null)
  const { aria } = useShortcutKeys('filter')
  useShortcut('filter', () => { first.current?.focus() })
  return (
    <search aria-label={t('name')} className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      <div className="relative w-28 xl:w-34">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint" />
        <TextCriterion inputRef={first} label={t('by-symbol')} placeholder={t('symbol')} value={filter.symbol} onChange={(symbol) => { change({ symbol }, { replace: true }) }} className="pl-7" shortcut={aria} />
      </div>
      <div className="w-28 xl:w-34">
        <TextCriterion label={t('by-account')} placeholder={t('account')} value={filter.account} onChange={(account) => { change({ account }, { replace: true }) }} />
      </div>
      {offers('from') && <FilterDates span={filter} onChange={change} />}
      {offers('accounts') && (
        <FilterPanel name={t('accounts')} chosen={filter.accounts.length}>
          <OneStep>
            {(apply) => <MultiChoice label={t('accounts')} options={accountChoices(choices.accounts, t('no-firm'), t('copy'))} chosen={filter.accounts} onChange={(accounts) => { apply(change, { accounts }) }} />}
          </OneStep>
        </FilterPanel>
      )}
      {offers('symbols') && (
        <FilterPanel name={t('symbols')} chosen={filter.symbols.length}>
          <OneStep>
            {(apply) => <MultiChoice label={t('symbols')} options={choices.symbols.map((name) => ({ value: name, label: name }))} chosen={filter.symbols} onChange={(symbols) => { apply(change, { symbols }) }} />}
          </OneStep>
        </FilterPanel>
      )}
      <FilterPanel name={t('more')} chosen={chosenInMore(filter)}>
        <OneStep>
          {(apply) => (
            <Suspense fallback={null}>
              <FilterMore filter={filter} tagged={offers('tags')} choices={choices} onChange={(part) => { apply(change, part) }} />
            </Suspense>
          )}
        </OneStep>
      </FilterPanel>
      <FilterChips filter={filter} choices={choices} onChange={change} onClear={() => { change({ ...everyTrade, ...only(setAside, whole) }) }} />
      {children !== undefined && <div className="ml-auto flex items-center gap-2">{children}</div>}
    </search>
  )
}

const nothing: readonly (keyof TradeFilter)[] = []

const only = (names: readonly (keyof TradeFilter)[], filter: TradeFilter): Partial<TradeFilter> => Object.fromEntries(names.map((name) => [name, filter[name]]))

type Apply = (change: ChangeFilter, part: Partial<TradeFilter>) => void

/** Makes all changes while its panel is open one step back: the first adds a history entry, which the others replace. */
const OneStep = ({ children }: { children: (apply: Apply) => ReactNode }) => {
  const stepped = useRef(false)
  return children((change, part) => {
    change(part, { replace: stepped.current })
    stepped.current = true
  })
}

type TextProps = { label: string; placeholder: string; value: string; onChange: (text: string) => void; inputRef?: RefObject<HTMLInputElement | null>; className?: string; shortcut?: string | undefined }

const TextCriterion = ({ label, placeholder, value, onChange, inputRef, className = '', shortcut }: TextProps) => {
  const [typed, type] = useTyped(value, onChange)
  return <Input ref={inputRef} type="search" aria-label={label} placeholder={placeholder} value={typed} maxLength={300} onChange={(event) => { type(event.target.value) }} aria-keyshortcuts={shortcut} className={className} />
}

const chosenInMore = (filter: TradeFilter): number =>
  [filter.sides, filter.tags, filter.weekdays, filter.hours, filter.sessions, limitedFigures(filter)].reduce((sum, values) => sum + values.length, Number(filter.leaderOnly) + Number(filter.pricedOnly))
