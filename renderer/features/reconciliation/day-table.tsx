import { classNames } from '#renderer/lib/class-names.ts'
import { useNarrow, useTight } from '#renderer/lib/use-narrow.ts'
import { useRowKeys } from '#renderer/lib/use-row-keys.ts'
import { HeaderCell, lineOf, SkeletonRows, Spacer } from '#renderer/ui/table.tsx'
import type { DayState, ReconciliationAnswer } from '#shared/api/reconciliation.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DayRow, MonthRow } from './day-row.tsx'
import { linesOf } from './lines.ts'
import type { OpenDay } from './use-reconciliation.ts'

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
