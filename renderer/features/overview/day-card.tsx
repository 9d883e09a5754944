import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import type { Overview } from '#shared/api/journal.ts'
import { useTranslation } from 'react-i18next'
import { dayRows, daysTableId, type DayRow } from './day-rows.ts'

/** Every trading day with its net, a bar that compares it with the others, and the running total. */
export const DayCard = ({ overview }: { overview: Overview | null }) => {
  const { t } = useTranslation('overview')
  const rows = dayRows(overview?.equity ?? [])
  const mixed = (overview?.equity.length ?? 0) > 1
  return (
    <Card title={t('by-day')} note={t('by-day-note')} className="relative row-span-2 flex max-h-120 min-h-76 flex-col overflow-hidden @5xl:max-h-none">
      {/* Beside the chart the table takes the height that is there and never asks for more. */}
      <div tabIndex={0} role="group" aria-label={t('by-day')} className="min-h-0 overflow-auto -outline-offset-2 @5xl:absolute @5xl:inset-x-0 @5xl:top-10.5 @5xl:bottom-0">
        <Table id={daysTableId}>
          <thead className="sticky top-0 z-1 bg-surface">
            <tr>
              <HeaderCell>{t('day')}</HeaderCell>
              <HeaderCell end className="w-2/5">
                {t('net')}
              </HeaderCell>
              <HeaderCell end>{t('total')}</HeaderCell>
            </tr>
          </thead>
          <tbody>{overview === null ? <SkeletonRows rows={12} columns={3} figures={2} /> : rows.map((row) => <Day key={`${row.tradingDay} ${row.currency}`} row={row} mixed={mixed} />)}</tbody>
        </Table>
      </div>
    </Card>
  )
}

const Day = ({ row, mixed }: { row: DayRow; mixed: boolean }) => {
  const format = useFormat()
  return (
    <tr>
      <Cell quiet>
        {format.day(row.tradingDay)}
        {mixed && <span className="ml-1.5 text-sm text-faint">{row.currency}</span>}
      </Cell>
      <Cell end>
        <div className="flex items-center justify-end gap-2.5">
          <div aria-hidden className="flex h-1.25 w-24 min-w-0 shrink justify-end">
            <div className={classNames('h-full rounded-full', row.sign === 'loss' ? 'bg-loss' : 'bg-gain')} style={{ width: `${String(Math.round(row.share * 100))}%` }} />
          </div>
          <Pnl value={row.netPnl} className="min-w-18" />
        </div>
      </Cell>
      <Cell end quiet>
        {format.signedMoney(row.cumulative)}
      </Cell>
    </tr>
  )
}
