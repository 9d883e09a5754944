import { apiQuery } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortcut, useShortcutKeys } from '#renderer/lib/use-shortcut.ts'
import { useTradeFilter, type ChangeFilter } from '#renderer/lib/use-trade-filter.ts'
import { useTyped } from '#renderer/lib/use-typed.ts'
import { statisticsRoutes, type FilterChoices } from '#shared/api/statistics.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { marketSessions } from '#shared/stats/trade-times.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown, Search } from 'lucide-react'
import { useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Input, Label } from './field.tsx'
import { FilterChips, hourEnds } from './filter-chips.tsx'
import { FilterDates } from './filter-dates.tsx'
import { MultiChoice, type Choice } from './multi-choice.tsx'
import { Popover } from './popover.tsx'
import { Segmented, ToggleGrid } from './segmented.tsx'
import { Switch } from './toggles.tsx'

const none: FilterChoices = { accounts: [], symbols: [], tags: [] }

/** The one filter of all screens of trades: two texts to type, the rest in panels; what is on stands behind as chips, `/` leads to the first text. `children` ends its line. */
export const FilterBar = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation('filter')
  const { filter, change, clear } = useTradeFilter()
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
      <div className="w-24 xl:w-34">
        <TextCriterion label={t('by-account')} placeholder={t('account')} value={filter.account} onChange={(account) => { change({ account }, { replace: true }) }} />
      </div>
      <FilterDates span={filter} onChange={change} />
      <Panel name={t('accounts')} chosen={filter.accounts.length}>
        {(apply) => <MultiChoice label={t('accounts')} options={accountChoices(choices, t('no-firm'), t('copy'))} chosen={filter.accounts} onChange={(accounts) => { apply(change, { accounts }) }} />}
      </Panel>
      <Panel name={t('symbols')} chosen={filter.symbols.length}>
        {(apply) => <MultiChoice label={t('symbols')} options={named(choices.symbols)} chosen={filter.symbols} onChange={(symbols) => { apply(change, { symbols }) }} />}
      </Panel>
      <Panel name={t('more')} chosen={filter.sides.length + filter.tags.length + filter.weekdays.length + filter.hours.length + filter.sessions.length + (filter.leaderOnly ? 1 : 0)}>
        {(apply) => <More filter={filter} choices={choices} onChange={(part) => { apply(change, part) }} />}
      </Panel>
      <FilterChips filter={filter} choices={choices} onChange={change} onClear={clear} />
      {children !== undefined && <div className="ml-auto flex items-center gap-2">{children}</div>}
    </search>
  )
}

type Apply = (change: ChangeFilter, part: Partial<TradeFilter>) => void

/** A panel behind a button that tells how much of it is chosen; all that is chosen while it is open is one step back. */
const Panel = ({ name, chosen, children }: { name: string; chosen: number; children: (apply: Apply) => ReactNode }) => (
  <Popover
    label={name}
    trigger={
      <Button variant="outline" className="gap-1.5 px-2.5">
        {name}
        {chosen > 0 && <span className="rounded-sm bg-accent-tint px-1.25 text-sm text-accent">{chosen}</span>}
        <ChevronDown aria-hidden className="text-faint" />
      </Button>
    }
  >
    <OneStep>{children}</OneStep>
  </Popover>
)

// Lives as long as the panel is open.
const OneStep = ({ children }: { children: (apply: Apply) => ReactNode }) => {
  const stepped = useRef(false)
  return children((change, part) => {
    change(part, { replace: stepped.current })
    stepped.current = true
  })
}

const More = ({ filter, choices, onChange }: { filter: TradeFilter; choices: FilterChoices; onChange: (part: Partial<TradeFilter>) => void }) => {
  const { t } = useTranslation('filter')
  const copied = choices.copied === true || choices.accounts.some(({ copyOf }) => copyOf !== null)
  const sides = [{ value: 'long', label: t('side.long') }, { value: 'short', label: t('side.short') }]
  return (
    <div className="flex w-72 flex-col gap-3">
      <Titled title={t('sides')}>
        <MultiChoice label={t('sides')} options={sides} chosen={filter.sides} onChange={(chosen) => { onChange({ sides: chosen.filter((side) => side === 'long' || side === 'short') }) }} />
      </Titled>
      <Titled title={t('tags')}>
        {choices.tags.length === 0 ? <p className="text-sm text-faint">{t('no-tags')}</p> : <MultiChoice label={t('tags')} options={named(choices.tags)} chosen={filter.tags} onChange={(tags) => { onChange({ tags }) }} />}
      </Titled>
      <Times filter={filter} onChange={onChange} />
      {(copied || filter.leaderOnly) && (
        <div className="flex items-center gap-2 border-t border-hairline pt-3">
          <Label htmlFor="leader-only" className="grow">{t('leader-only')}</Label>
          <Switch id="leader-only" checked={filter.leaderOnly} onChange={(leaderOnly) => { onChange({ leaderOnly }) }} />
        </div>
      )}
    </div>
  )
}

// Weekdays and hours by the clock of the filter, which is the profile's until a link brings another.
const Times = ({ filter, onChange }: { filter: TradeFilter; onChange: (part: Partial<TradeFilter>) => void }) => {
  const { t } = useTranslation('filter')
  const format = useFormat()
  const ofProfile = useSession().session?.timeZone ?? everyTrade.zone
  const zone = filter.weekdays.length + filter.hours.length > 0 ? filter.zone : ofProfile
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: String(hour).padStart(2, '0'), name: t('hour', hourEnds(hour)) }))
  const weekdays = Array.from({ length: 7 }, (_, day) => ({ value: day + 1, label: format.shortWeekday(day + 1) }))
  return (
    <>
      <Titled title={t('weekdays')}>
        <ToggleGrid label={t('weekdays')} columns={7} values={filter.weekdays} options={weekdays} onChange={(chosen) => { onChange({ weekdays: chosen, zone }) }} />
      </Titled>
      <Titled title={t('hours-of', { zone })}>
        <ToggleGrid label={t('hours-of', { zone })} columns={8} values={filter.hours} options={hours} onChange={(chosen) => { onChange({ hours: chosen, zone }) }} />
      </Titled>
      <Titled title={t('sessions')}>
        <ToggleGrid label={t('sessions')} columns={4} values={filter.sessions} options={marketSessions.map((value) => ({ value, label: t(`session.${value}`) }))} onChange={(sessions) => { onChange({ sessions }) }} />
      </Titled>
      {filter.weekdays.length + filter.hours.length + filter.sessions.length > 0 && (
        <Segmented label={t('timed-by')} value={filter.timedBy} onChange={(timedBy) => { onChange({ timedBy }) }} options={[{ value: 'entry', label: t('timed.entry') }, { value: 'exit', label: t('timed.exit') }]} />
      )}
    </>
  )
}

const Titled = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <p className="text-sm font-medium text-muted">{title}</p>
    {children}
  </div>
)

const TextCriterion = ({ label, placeholder, value, onChange, inputRef, className = '', shortcut }: { label: string; placeholder: string; value: string; onChange: (text: string) => void; inputRef?: RefObject<HTMLInputElement | null>; className?: string; shortcut?: string | undefined }) => {
  const [typed, type] = useTyped(value, onChange)
  return <Input ref={inputRef} type="search" aria-label={label} placeholder={placeholder} value={typed} maxLength={300} onChange={(event) => { type(event.target.value) }} aria-keyshortcuts={shortcut} className={className} />
}

const named = (names: readonly string[]): Choice[] => names.map((name) => ({ value: name, label: name }))

const accountChoices = ({ accounts }: FilterChoices, noFirm: string, copy: string): Choice[] =>
  accounts
    .map(({ key, name, firm, copyOf }) => ({ value: key, label: name, group: firm ?? noFirm, ...(copyOf === null ? {} : { note: copy }) }))
    .toSorted((one, other) => one.group.localeCompare(other.group) || one.label.localeCompare(other.label))
