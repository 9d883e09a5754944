import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DayNote } from '#renderer/ui/day-note.tsx'
import { DayNoteMark } from '#renderer/ui/day-note-button.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { compareText } from '#shared/base/compare-text.ts'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

// More rows at once would hold up the page.
const atFirst = 120

/** Every trading day with its net, a bar that compares it with the others, and the running total: the figures of the curve, in the height that is there. */
export const DaysTable = ({ statistics }: { statistics: StatisticsAnswer }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const [whole, setWhole] = useState(false)
  const [notedDay, setNotedDay] = useState<string | null>(null)
  const rows = useMemo(() => dayRows(statistics), [statistics])
  const mixed = statistics.equity.length > 1
  const shown = whole ? rows : rows.slice(0, atFirst)
  return (
    <div className="relative min-h-60 grow">
      <ScrollArea label={t('by-day')} className="absolute inset-0">
        <Table>
          <thead className="sticky top-0 z-1 bg-surface">
            <tr>
              <HeaderCell>{t('day')}</HeaderCell>
              <HeaderCell end className="w-2/5">
                {t('figures:net')}
              </HeaderCell>
              <HeaderCell end>{t('total')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Day key={`${row.tradingDay} ${row.currency}`} row={row} mixed={mixed} onNote={setNotedDay} />
            ))}
          </tbody>
        </Table>
        {shown.length < rows.length && (
          <div className="flex justify-center p-2">
            <Button variant="ghost" size="sm" onClick={() => { setWhole(true) }}>
              {t('all-days', { total: format.count(rows.length) })}
            </Button>
          </div>
        )}
      </ScrollArea>
      <DayNote tradingDay={notedDay} onClose={() => { setNotedDay(null) }} />
    </div>
  )
}

const Day = ({ row, mixed, onNote }: { row: DayRow; mixed: boolean; onNote: (tradingDay: string) => void }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  return (
    <tr className="group">
      <Cell quiet>
        {format.day(row.tradingDay)}
        {mixed && <span className="ml-1.5 text-sm text-faint">{row.currency}</span>}
        <DayNoteMark
          tradingDay={row.tradingDay}
          className="-my-1 ml-1 align-middle focus-visible:opacity-100! data-[state=none]:opacity-0 group-hover:data-[state=none]:opacity-100 pointer-coarse:opacity-100!"
          onClick={() => { onNote(row.tradingDay) }}
        />
      </Cell>
      <Cell end>
        <div className="flex items-center justify-end gap-2.5">
          <div aria-hidden className="flex h-1.25 w-48 min-w-0 shrink justify-end">
            <div className={classNames('h-full rounded-full', row.sign === 'loss' ? 'bg-loss' : 'bg-gain')} style={{ width: `${String(Math.round(row.share * 100))}%` }} />
          </div>
          <Pnl value={row.netPnl} className="min-w-18" />
        </div>
      </Cell>
      <Cell end quiet>
        {row.cumulative === null ? t('none') : format.signedMoney(row.cumulative)}
      </Cell>
    </tr>
  )
}

/** One trading day of one currency, ready for a table: what it came to, and the length of its bar. */
type DayRow = {
  /** `YYYY-MM-DD`. */
  readonly tradingDay: string
  readonly currency: string
  /** Exact decimals; the running total is null where a long curve was thinned. */
  readonly netPnl: string
  readonly cumulative: string | null
  /** From 0 to 1: this day's net against the largest of its currency, whatever the sign. */
  readonly share: number
  readonly sign: 'gain' | 'loss' | 'flat'
}

/** The trading days of all currencies, the newest first; days side by side in two currencies are in the order of their codes. */
export const dayRows = ({ days, equity }: Pick<StatisticsAnswer, 'days' | 'equity'>): DayRow[] => {
  const totals = new Map(equity.flatMap(({ currency, points }) => points.map(({ tradingDay, cumulative }) => [`${currency} ${tradingDay}`, cumulative])))
  const largest = new Map<string, number>()
  for (const { money } of days) for (const { currency, netPnl } of money) largest.set(currency, Math.max(largest.get(currency) ?? 0, Math.abs(Number(netPnl))))
  return days
    .flatMap(({ tradingDay, money }) =>
      money.map(({ currency, netPnl }): DayRow => {
        const [net, most] = [Number(netPnl), largest.get(currency) ?? 0]
        return { tradingDay, currency, netPnl, cumulative: totals.get(`${currency} ${tradingDay}`) ?? null, share: most === 0 ? 0 : Math.abs(net) / most, sign: net > 0 ? 'gain' : net < 0 ? 'loss' : 'flat' }
      }),
    )
    .sort((a, b) => (a.tradingDay === b.tradingDay ? compareText(a.currency, b.currency) : compareText(b.tradingDay, a.tradingDay)))
}
