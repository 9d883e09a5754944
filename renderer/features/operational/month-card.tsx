import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { ChartSkeleton } from '#renderer/ui/skeleton.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { booksByMonth, mostUsedFirst, sumBooks, type BookGroup, type BookSum } from '#shared/stats/books.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MonthChart } from './month-chart.tsx'
import { monthBars } from './month-shape.ts'

/** Income and expenses by month, as a chart of one currency or as a table of all. */
export const MonthCard = ({ entries }: { entries: readonly BookEntry[] | null }) => {
  const { t } = useTranslation('operational')
  const [shows, setShows] = useState<'chart' | 'table'>('chart')
  const [chosen, setChosen] = useState<string | null>(null)
  const months = entries === null ? null : booksByMonth(entries)
  const sums = entries === null ? [] : mostUsedFirst(sumBooks(entries))
  const sum = sums.find(({ currency }) => currency === chosen) ?? sums[0]
  return (
    <Card
      title={t('months')}
      note={t('months-note')}
      className="relative flex min-h-76 flex-col"
      actions={
        <>
          {shows === 'chart' && sum !== undefined && sums.length > 1 && (
            <Segmented label={t('currency')} value={sum.currency} onChange={setChosen} options={sums.map(({ currency }) => ({ value: currency, label: currency }))} />
          )}
          <Segmented label={t('shown-as')} value={shows} onChange={setShows} options={[{ value: 'chart', label: t('chart') }, { value: 'table', label: t('table') }]} />
        </>
      }
    >
      {months === null ? <ChartSkeleton /> : shows === 'table' ? <MonthList months={months} /> : sum !== undefined && <Drawn months={months} sum={sum} />}
    </Card>
  )
}

const Drawn = ({ months, sum }: { months: readonly BookGroup<string>[]; sum: BookSum }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const tableId = useId()
  const [pointed, setPointed] = useState<string | null>(null)
  const bars = monthBars(months, sum.currency)
  const shown = bars.find(({ month }) => month === pointed)
  const last = bars.at(-1)
  const range = bars[0] === undefined || last === undefined ? '' : bars[0] === last ? format.month(`${last.month}-01`) : t('from-to', { from: format.month(`${bars[0].month}-01`), to: format.month(`${last.month}-01`) })
  return (
    <>
      <p aria-hidden className="flex h-9 flex-wrap items-center gap-x-3.5 overflow-hidden px-4 text-sm text-muted">
        <span className="font-medium text-ink">{shown === undefined ? range : format.month(`${shown.month}-01`)}</span>
        <Key className="size-2 bg-gain" name={t('earned')} value={shown && format.money(shown.earned)} />
        <Key className="size-2 bg-loss" name={t('spent')} value={shown && format.money(shown.spent)} />
        <Key className="h-0.5 w-3 bg-ink" name={t('net')} value={shown && format.signedMoney(shown.net)} />
      </p>
      <MonthChart bars={bars} tableId={tableId} pointed={pointed} onPoint={setPointed} label={t('chart-name', { range, currency: sum.currency, earned: format.money(sum.earned), spent: format.money(sum.spent), net: format.signedMoney(sum.net) })} />
      <div id={tableId} className="sr-only">
        <MonthTable months={months} />
      </div>
    </>
  )
}

const Key = ({ className, name, value }: { className: string; name: string; value: string | undefined }) => (
  <span className="flex items-center gap-1.5 whitespace-nowrap">
    <span className={`rounded-xs ${className}`} />
    {name}
    {value !== undefined && <span className="font-medium text-ink">{value}</span>}
  </span>
)

const MonthList = ({ months }: { months: readonly BookGroup<string>[] }) => {
  const { t } = useTranslation('operational')
  return (
    <ScrollArea label={t('months')} className="max-h-64 min-h-0 grow">
      <MonthTable months={months} />
    </ScrollArea>
  )
}

const MonthTable = ({ months }: { months: readonly BookGroup<string>[] }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const mixed = new Set(months.flatMap(({ sums }) => sums.map(({ currency }) => currency))).size > 1
  return (
    <Table>
      <thead>
        <tr>
          <HeaderCell>{t('month')}</HeaderCell>
          <HeaderCell end>{t('earned')}</HeaderCell>
          <HeaderCell end>{t('spent')}</HeaderCell>
          <HeaderCell end>{t('net')}</HeaderCell>
        </tr>
      </thead>
      <tbody>
        {months.flatMap(({ key, sums }) =>
          sums.map(({ currency, earned, spent, net }) => (
            <tr key={`${key} ${currency}`}>
              <Cell>
                {format.month(`${key}-01`)}
                {mixed && <span className="ml-1.5 text-sm text-faint">{currency}</span>}
              </Cell>
              <Cell end>{format.money(earned)}</Cell>
              <Cell end>{format.money(spent)}</Cell>
              <Cell end><Pnl value={net} /></Cell>
            </tr>
          )),
        )}
      </tbody>
    </Table>
  )
}
