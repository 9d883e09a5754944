import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import type { StatisticsAnswer, Unit } from '#shared/api/statistics.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

const columns = 9

type Recent = StatisticsAnswer['recent']

/** The latest trades or fill pairs by date, each of which opens, and the way to all of them; null while they load. */
export const RecentTrades = ({ trades, unit }: { trades: Recent | null; unit: Unit }) => {
  const { t } = useTranslation('overview')
  const { filter } = useTradeFilter()
  return (
    <Card
      title={t('recent')}
      note={t(`recent-note.${unit}`)}
      className="overflow-hidden @5xl:last:col-span-2"
      actions={
        <Button asChild variant="link" size="sm">
          <Link to={`${paths.tradeLogbook}${searchOf(filter, unit)}`}>{t(`show-all.${unit}`)}</Link>
        </Button>
      }
    >
      <div className="@container overflow-x-auto">
        <Table className="[&_th]:whitespace-normal max-md:[&_:is(td,th)]:px-1! max-md:[&_:is(td,th):first-child]:pl-4! max-md:[&_:is(td,th):last-child]:pr-4! @max-[43rem]:[&_:is(td,th):nth-child(8)]:hidden [&_:is(td,th):not(:first-child,:last-child)]:px-1.5">
          <thead>
            <tr>
              <HeaderCell>{t('exit')}</HeaderCell>
              <HeaderCell>{t('contract')}</HeaderCell>
              <HeaderCell>{t('account')}</HeaderCell>
              <HeaderCell>{t('side')}</HeaderCell>
              <HeaderCell end>{t('qty')}</HeaderCell>
              <HeaderCell end>{t('entry-price')}</HeaderCell>
              <HeaderCell end>{t('exit-price')}</HeaderCell>
              <HeaderCell end>{t('fees-brief')}</HeaderCell>
              <HeaderCell end>{t('figures:net')}</HeaderCell>
            </tr>
          </thead>
          <tbody>{trades === null ? <SkeletonRows rows={5} columns={columns} figures={5} /> : trades.map((trade) => <RecentTrade key={trade.id} trade={trade} unit={unit} />)}</tbody>
        </Table>
      </div>
    </Card>
  )
}

const RecentTrade = ({ trade, unit }: { trade: Recent[number]; unit: Unit }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const { filter } = useTradeFilter()
  const time = format.dateTime(trade.exitTime)
  const price = (value: number) => <span title={format.price(value)}>{'pairs' in trade && trade.pairs > 1 ? format.averagePrice(value) : format.price(value)}</span>
  return (
    <tr className="relative hover:bg-raised">
      <Cell quiet>
        {/* The link lies over the whole row. */}
        <Link
          to={`${paths.tradeLogbook}${searchOf(filter, unit, trade.id)}`}
          aria-label={t('open-trade', { contract: trade.symbol, time })}
          className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {time}
        </Link>
      </Cell>
      <Cell>{trade.symbol}</Cell>
      <Cell quiet className="max-w-28 max-md:max-w-18 @min-[44rem]:in-[:lang(en)]:max-w-42 @min-[50rem]:max-w-42">
        <CutName name={trade.account} />
      </Cell>
      <Cell quiet>{trade.side === 'long' ? t('long') : t('short')}</Cell>
      <Cell end>{format.count(trade.qty)}</Cell>
      <Cell end>{price(trade.entryPrice)}</Cell>
      <Cell end>{price(trade.exitPrice)}</Cell>
      <Cell end quiet>
        {format.money(trade.commission)}
        <OtherFees of={trade.otherFees} />
      </Cell>
      <Cell end>
        <Pnl value={trade.netPnl} />
      </Cell>
    </tr>
  )
}
