import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Pager } from '#renderer/ui/pager.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import type { TradeRecord } from '#shared/api/records.ts'
import { reportRoutes } from '#shared/api/reports.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { everyTrade } from '#shared/stats/filter.ts'
import type { LinkedTrades } from './asked-trades.ts'

const pageSize = 50
const columns = ['exit', 'contract', 'account', 'side', 'qty', 'entry', 'exit-price', 'net'] as const
const figures: readonly (typeof columns)[number][] = ['qty', 'entry', 'exit-price', 'net']

/** The trades behind a figure of a report, page by page, each with a link to the TradeLogbook. */
export const TradesDialog = ({ reportId, asked, onClose }: { reportId: string; asked: LinkedTrades; onClose: () => void }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const [offset, turn] = useState(0)
  const { data, error, refetch } = useQuery({ ...apiQuery(reportRoutes.reportTrades, { query: { id: reportId, of: asked.of, offset, limit: pageSize } }), placeholderData: keepPreviousData })
  const total = data?.total ?? 0
  const last = Math.min(offset + pageSize, total)
  return (
    <Dialog
      open
      onClose={onClose}
      width="full"
      title={t('behind.title', { title: asked.title })}
      description={data === undefined ? t('behind.loading') : t('trades', { count: total, trades: format.count(total) })}
      footer={
        total > pageSize && (
          <Pager
            label={t('behind.pages')}
            onNewer={offset === 0 ? null : () => { turn(Math.max(0, offset - pageSize)) }}
            onOlder={last >= total ? null : () => { turn(offset + pageSize) }}
            className="gap-3"
          >
            <span role="status" className="text-sm text-muted tabular-nums">{t('behind.shown', { from: format.count(offset + 1), to: format.count(last), total: format.count(total) })}</span>
          </Pager>
        )
      }
    >
      {(data?.gone ?? 0) > 0 && <Notice tone="warn" className="mb-3">{t('behind.gone', { count: data?.gone ?? 0, trades: format.count(data?.gone ?? 0) })}</Notice>}
      {data === undefined && error !== null ? (
        <ErrorState failure={error} onRetry={() => void refetch()} />
      ) : data?.trades.length === 0 ? (
        <EmptyState Icon={SearchX} title={t('behind.none')} text={t('behind.none-text')} />
      ) : (
        <ScrollArea label={t('behind.title', { title: asked.title })} className="-mx-5 max-h-[calc(100vh-15rem)]">
          <Table className="[&_td:not(:first-child,:last-child)]:px-2 [&_th:not(:first-child,:last-child)]:px-2">
            <caption className="sr-only">{t('behind.title', { title: asked.title })}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <HeaderCell key={column} end={figures.includes(column)} className="sticky top-0 z-10 bg-surface">
                    {t(`column.${column}`)}
                  </HeaderCell>
                ))}
              </tr>
            </thead>
            <tbody>{data === undefined ? <SkeletonRows rows={8} columns={columns.length} figures={figures.length} /> : data.trades.map((trade) => <Line key={trade.id} trade={trade} />)}</tbody>
          </Table>
        </ScrollArea>
      )}
    </Dialog>
  )
}

const Line = ({ trade }: { trade: TradeRecord }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { symbol, exitTime, account, side, qty, entryPrice, exitPrice, netPnl, currency } = trade
  return (
    <tr className="hover:bg-raised">
      <Cell>
        <Link to={tradeLink(trade)} aria-label={t('behind.open', { symbol, time: format.fullDateTime(exitTime) })} className="text-accent underline-offset-3 hover:underline">
          {format.fullDateTime(exitTime)}
        </Link>
      </Cell>
      <Cell>{symbol}</Cell>
      <Cell quiet className="max-w-40">
        <CutName name={account} />
      </Cell>
      <Cell quiet>{side === 'long' ? t('long') : t('short')}</Cell>
      <Cell end>{format.count(qty)}</Cell>
      <Cell end>{format.price(entryPrice)}</Cell>
      <Cell end>{format.price(exitPrice)}</Cell>
      <Cell end>
        <Pnl value={netPnl} /> <span className="text-sm text-faint">{currency}</span>
      </Cell>
    </tr>
  )
}

/** A link to a trade in the TradeLogbook: its contract and side in its account on its trading day. */
const tradeLink = ({ tradingDay, accountId, account, symbol, side }: Pick<TradeRecord, 'tradingDay' | 'accountId' | 'account' | 'symbol' | 'side'>): string => {
  const filter = { ...everyTrade, from: tradingDay, to: tradingDay, accounts: accountId === '' ? [] : [accountId], account: accountId === '' ? account : '', symbols: [symbol], sides: [side] }
  return `${paths.tradeLogbook}${searchOf(filter, 'trades')}`
}
