import { classNames } from '#renderer/lib/class-names.ts'
import { useNarrow, useTight } from '#renderer/lib/use-narrow.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRowKeys } from '#renderer/lib/use-row-keys.ts'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Cell, HeaderCell, lineOf, SkeletonRows, Spacer } from '#renderer/ui/table.tsx'
import type { DayState, ReconciledDay, ReconciliationAnswer } from '#shared/api/reconciliation.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenDay } from './address.ts'
import { linesOf, type ReconciliationLine } from './lines.ts'
import { Difference, Money } from './money.tsx'
import { NextStep } from './next-step.tsx'
import { StateMark } from './state-mark.tsx'

const rowHeight = 36
// Percent of the width, in the order of the columns.
const widths = { wide: [12, 15, 8, 6, 8, 8, 6, 8, 7, 22], narrow: [18, 13, 11, 11, 12, 35], tight: [20, 14, 15, 15, 14, 22] }

/** Every account's days, or those of one state, under the totals of their months, virtualized; null while loading. */
export const DayTable = ({ answer, state, onOpen }: { answer: ReconciliationAnswer | null; state: DayState | null; onOpen: (day: OpenDay) => void }) => {
  const { t } = useTranslation('reconciliation')
  const narrow = useNarrow()
  const tight = useTight()
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => (answer === null ? [] : linesOf(answer, state)), [answer, state])
  const currencies = new Set(answer?.days.flatMap(({ currency }) => currency ?? [])).size > 1
  const virtualizer = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 12, scrollPaddingStart: 2 * rowHeight })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const open = (line: number): void => {
    const row = lines[line]
    if (row?.kind === 'day') onOpen({ account: row.day.account, day: row.day.tradingDay })
  }
  const keys = useRowKeys({
    count: lines.length,
    inSight: { first: first?.index ?? 0, last: last?.index ?? 0 },
    scroller,
    scrollTo: (line) => { virtualizer.scrollToIndex(line) },
    onEnter: open,
  })
  const columns = widths[tight ? 'tight' : narrow ? 'narrow' : 'wide']
  return (
    <div ref={scroller} className="min-h-0 grow overflow-auto">
      <table
        role="grid"
        aria-label={t('list')}
        aria-rowcount={lines.length + 2}
        aria-busy={answer === null}
        className={classNames('w-full table-fixed [&_td]:px-2 [&_td:first-child]:pl-4 [&_th]:px-2 [&_th:first-child]:pl-4', !tight && 'min-w-186')}
        onKeyDown={keys.onKeyDown}
      >
        <colgroup>
          {columns.map((width, column) => (
            <col key={column} style={{ width: `${String(width)}%` }} />
          ))}
        </colgroup>
        <Head narrow={narrow} />
        <tbody
          onFocus={({ target }) => { const line = lineOf(target); if (line !== null) keys.setActive(line) }}
          onClick={({ target }) => { const line = target instanceof Element && target.closest('a, button') === null ? lineOf(target) : null; if (line !== null) open(line) }}
        >
          {answer === null && <SkeletonRows rows={14} columns={columns.length} figures={columns.length - 3} after={1} />}
          <Spacer height={first?.start ?? 0} columns={columns.length} />
          {items.map(({ index }) => {
            const row = lines[index]
            const shared = { line: index, active: index === keys.active, narrow, currencies }
            if (row === undefined) return null
            return row.kind === 'day' ? <DayRow key={row.key} row={row} {...shared} /> : <MonthRow key={row.key} row={row} {...shared} />
          })}
          <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

const Head = ({ narrow }: { narrow: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const figures = (
    <>
      {!narrow && <HeaderCell end>{t('gross')}</HeaderCell>}
      {!narrow && <HeaderCell end>{t('fees-short')}</HeaderCell>}
      <HeaderCell end>{t('net')}</HeaderCell>
    </>
  )
  return (
    <thead className="sticky top-0 z-1 bg-surface">
      <tr aria-rowindex={1} className="[&_th]:h-7 [&_th]:border-0 [&_th]:text-xs">
        <td colSpan={2} />
        <HeaderCell scope="colgroup" colSpan={narrow ? 1 : 3}><Over>{t('fillbook')}</Over></HeaderCell>
        <HeaderCell scope="colgroup" colSpan={narrow ? 1 : 3}><Over>{t('broker')}</Over></HeaderCell>
        <td colSpan={2} />
      </tr>
      <tr aria-rowindex={2} className="[&_th]:h-7">
        <HeaderCell>{t('day')}</HeaderCell>
        <HeaderCell>{t('account')}</HeaderCell>
        {figures}
        {figures}
        <HeaderCell end>{t('difference')}</HeaderCell>
        <HeaderCell>{t('result')}</HeaderCell>
      </tr>
    </thead>
  )
}

// The name of a group of columns, over a line as wide as they are.
const Over = ({ children }: { children: ReactNode }) => <span className="block border-b border-line pb-0.5 text-center">{children}</span>

type RowProps<Kind> = { readonly line: number; readonly row: Extract<ReconciliationLine, { kind: Kind }>; readonly active: boolean; readonly narrow: boolean; readonly currencies: boolean }

/** One account's day: Fillbook's figures, the broker's, and their difference. */
const DayRow = ({ line, row: { day, name, fileOnly }, active, narrow, currencies }: RowProps<'day'>) => {
  const format = useFormat()
  const { fillbook, broker } = day
  return (
    <tr data-line={line} aria-rowindex={line + 3} tabIndex={active ? 0 : -1} className="h-9 cursor-pointer -outline-offset-2 hover:bg-raised">
      <Cell>
        {format.fullDay(day.tradingDay)}
        {currencies && day.currency !== null && <span className="ml-1.5 text-sm text-faint">{format.currencyName(day.currency)}</span>}
      </Cell>
      <Cell quiet className="truncate">
        <CutName name={name} />
      </Cell>
      {!narrow && <Cell end><Money value={fillbook.grossPnl} signed /></Cell>}
      {!narrow && <Cell end quiet><Money value={fillbook.commission} /></Cell>}
      <Cell end><Money value={fillbook.netPnl} signed /></Cell>
      {!narrow && <Cell end><Money value={broker.grossPnl} signed /></Cell>}
      {!narrow && <Cell end quiet><Money value={broker.commission} /></Cell>}
      <Cell end><Money value={broker.netPnl} signed /></Cell>
      <Cell end><Difference value={day.difference} checked={day.state !== 'unchecked'} /></Cell>
      <Cell className="truncate">
        <State day={day} fileOnly={fileOnly} />
      </Cell>
    </tr>
  )
}

const State = ({ day, fileOnly }: { day: ReconciledDay; fileOnly: boolean }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (day.reason === null) {
    return (
      <span className="flex items-center gap-2">
        <StateMark state={day.state} />
        {day.openings !== null && (
          <span title={t('openings')} className="truncate text-sm text-faint">
            {t('openings-short', { amount: format.signedMoney(day.openings) })}
          </span>
        )}
      </span>
    )
  }
  const reason = t(`reason.${day.reason}`)
  return (
    <span className="flex items-center gap-2">
      <span title={reason} className="truncate text-faint">
        {reason}
      </span>
      <NextStep day={day} fileOnly={fileOnly} />
    </span>
  )
}

/** The totals of an account's month over its days. */
const MonthRow = ({ line, row: { month, name }, active, narrow, currencies }: RowProps<'month'>) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { fillbook, days, daysEqual, daysDiffer, daysUnchecked } = month
  const headline = t('month-headline', { count: days, equal: format.count(daysEqual), differ: t('headline-differ', { count: daysDiffer, shown: format.count(daysDiffer) }), unchecked: format.count(daysUnchecked) })
  return (
    <tr data-line={line} aria-rowindex={line + 3} tabIndex={active ? 0 : -1} className="h-9 bg-raised font-medium -outline-offset-2">
      <Cell>
        {narrow && currencies ? `${format.shortMonth(`${month.month}-01`)} ${month.month.slice(0, 4)}` : format.month(`${month.month}-01`)}
        {currencies && month.currency !== null && <span className="ml-1.5 text-sm font-normal text-faint">{format.currencyName(month.currency)}</span>}
      </Cell>
      <Cell className="truncate">
        <CutName name={name} />
      </Cell>
      {!narrow && <Cell end><Money value={fillbook.grossPnl} signed /></Cell>}
      {!narrow && <Cell end><Money value={fillbook.commission} /></Cell>}
      <Cell end><Money value={fillbook.netPnl} signed /></Cell>
      <Cell colSpan={narrow ? 1 : 3} />
      <Cell end><Difference value={month.difference} checked={daysUnchecked === 0} /></Cell>
      <Cell className={classNames('truncate font-normal', daysEqual === days ? 'text-gain' : daysDiffer > 0 ? 'text-loss' : 'text-muted')}>
        <span title={headline} className="text-sm">{headline}</span>
      </Cell>
    </tr>
  )
}
