import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Cell, HeaderCell, Spacer } from '#renderer/ui/table.tsx'
import type { ReconciledPair } from '#shared/api/reconciliation.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Difference, Money, unknownFigure } from './money.tsx'
import { StateMark } from './state-mark.tsx'

const rowHeight = 32

/** Fillbook's pairs beside the broker's, differing ones first; a long list is virtualized. */
export const ProofPairs = ({ pairs, statedBy }: { pairs: readonly ReconciledPair[]; statedBy: string | null }) => {
  const { t } = useTranslation('reconciliation')
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({ count: pairs.length, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan: 20 })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  if (pairs.length === 0) return <p className="text-muted">{t('no-pairs')}</p>
  const differing = pairs.filter(({ state }) => state === 'differs').length
  return (
    <section aria-label={t('pairs')}>
      <h3 className="mb-1 font-semibold">
        {t('pairs-count', { count: pairs.length })}
        {differing > 0 && <span className="ml-2 font-normal text-loss">{t('pairs-differ', { count: differing })}</span>}
      </h3>
      <div ref={scroller} role="group" aria-label={t('pairs')} tabIndex={0} className="max-h-[44vh] overflow-auto rounded-md border border-hairline">
        <table aria-rowcount={pairs.length + 1} className="w-full border-collapse [&_td]:h-8 [&_td]:px-2 [&_td:first-child]:pl-3 [&_th]:h-8 [&_th]:px-2 [&_th:first-child]:pl-3">
          <thead className="sticky top-0 z-1 bg-surface">
            <tr aria-rowindex={1}>
              <HeaderCell>{t('closed')}</HeaderCell>
              <HeaderCell>{t('contract')}</HeaderCell>
              <HeaderCell end>{t('qty')}</HeaderCell>
              <HeaderCell end>{t('bought-at')}</HeaderCell>
              <HeaderCell end>{t('sold-at')}</HeaderCell>
              <HeaderCell end>{t('fillbook-gross')}</HeaderCell>
              <HeaderCell end>{statedBy === null ? t('broker-gross') : t('gross-of', { broker: statedBy })}</HeaderCell>
              <HeaderCell end>{t('difference')}</HeaderCell>
              <HeaderCell>{t('result')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            <Spacer height={first?.start ?? 0} columns={9} />
            {items.map(({ index }) => {
              const pair = pairs[index]
              return pair && <PairRow key={index} line={index} pair={pair} />
            })}
            <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} columns={9} />
          </tbody>
        </table>
      </div>
    </section>
  )
}

const PairRow = ({ line, pair }: { line: number; pair: ReconciledPair }) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { fillbook, broker, removed } = pair
  const own = fillbook ?? removed
  return (
    <tr aria-rowindex={line + 2} title={pair.buyFillId === null || pair.sellFillId === null ? undefined : t('fills-of', { buy: pair.buyFillId, sell: pair.sellFillId })}>
      <Cell quiet>{format.dateTime(pair.time)}</Cell>
      <Cell>{pair.contract ?? unknownFigure}</Cell>
      <Cell end><Both own={own?.qty ?? null} stated={broker?.qty ?? null} shown={format.count} /></Cell>
      <Cell end><Both own={own?.buyPrice ?? null} stated={broker?.buyPrice ?? null} shown={format.price} /></Cell>
      <Cell end><Both own={own?.sellPrice ?? null} stated={broker?.sellPrice ?? null} shown={format.price} /></Cell>
      <Cell end>{fillbook === null && removed !== null ? <s className="text-faint"><Money value={removed.grossPnl} signed /></s> : <Money value={fillbook?.grossPnl ?? null} signed />}</Cell>
      <Cell end><Money value={broker?.grossPnl ?? null} signed /></Cell>
      <Cell end><Difference value={pair.difference} checked /></Cell>
      <Cell>
        <span className="flex items-center gap-1.5">
          {removed === null && <StateMark state={pair.state} />}
          {removed !== null && <Badge tone="warn">{t('removed-by-you')}</Badge>}
          {pair.entered && <Badge tone="accent">{t('entered-by-you')}</Badge>}
          {pair.closedBy !== null && <span className="text-sm text-faint">{t('by-fill', { fill: pair.closedBy })}</span>}
          {pair.by === 'time' && <span className="text-sm text-faint">{t('by-second')}</span>}
        </span>
      </Cell>
    </tr>
  )
}

/** A value on both sides: once if it is the same or only one side has it, otherwise both. */
const Both = <V extends string | number>({ own, stated, shown }: { own: V | null; stated: V | null; shown: (value: V) => string }) => {
  if (own === null && stated === null) return <span className="text-faint">{unknownFigure}</span>
  if (own === null || stated === null || shown(own) === shown(stated)) return <>{shown((own ?? stated) as V)}</>
  return (
    <>
      {shown(own)} <span className="text-loss">≠ {shown(stated)}</span>
    </>
  )
}
