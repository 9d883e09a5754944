import { apiQuery } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { copierRoutes, type DryRunAnswer } from '#shared/api/copier.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

const spans = ['1', '7', '30', '90'] as const
const daysAtFirst = 5
const againAfterMs = 10_000
const feeSources = ['own', 'account', 'related', 'table', 'unknown'] as const

type Day = DryRunAnswer['days'][number]
type DayLine = Day['lines'][number]

/** What dry runs would have traded and its result, in words, by trading day and in total. Shows nothing if there was none. */
export const DryRunCard = ({ query }: { query: { readonly groupId?: string } }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  const [span, setSpan] = useState<(typeof spans)[number]>('30')
  const [all, setAll] = useState(false)
  const { data } = useQuery({ ...apiQuery(copierRoutes.dryRun, { query: { ...query, days: Number(span) } }), placeholderData: keepPreviousData, staleTime: 0, refetchInterval: againAfterMs })
  // A shorter period without orders still offers the longer ones.
  if (data === undefined || (data.total.orders === 0 && span === '30')) return null
  const { days, total } = data
  const shown = all ? days : days.slice(0, daysAtFirst)
  return (
    <Card
      title={t('would.title')}
      note={t('would.note')}
      className="shrink-0 overflow-hidden"
      actions={<Segmented label={t('figures.days')} value={span} onChange={setSpan} options={spans.map((value) => ({ value, label: t('figures.span', { count: Number(value) }) }))} />}
    >
      <div className="flex flex-col gap-1 px-4 py-3">
        <p className="text-ink">
          {total.orders === 0
            ? t('would.nothing')
            : t('would.sent', {
                orders: t('would.orders', { count: total.orders, shown: figures.count(total.orders) }),
                contracts: t('would.contracts', { count: total.contracts, shown: figures.count(total.contracts) }),
              })}
          {total.money.map(({ currency, gross, fees, net }) => (
            <span key={currency}> {t('would.money', { currency, gross: figures.signedMoney(gross), fees: figures.money(fees), net: figures.signedMoney(net) })}</span>
          ))}
        </p>
        {total.orders > 0 && <Doubts of={data} />}
      </div>
      {shown.length > 0 && (
        <div className="overflow-x-auto border-t border-hairline">
          <Table>
            <caption className="sr-only">{t('would.caption')}</caption>
            <thead>
              <tr>
                <HeaderCell>{t('would.column.day')}</HeaderCell>
                <HeaderCell>{t('ledger.column.follower')}</HeaderCell>
                <HeaderCell>{t('would.column.traded')}</HeaderCell>
                <HeaderCell end>{t('would.column.gross')}</HeaderCell>
                <HeaderCell end>{t('would.column.fees')}</HeaderCell>
                <HeaderCell end>{t('would.column.net')}</HeaderCell>
              </tr>
            </thead>
            {shown.map((day) => (
              <DayRows key={day.day} day={day} />
            ))}
          </Table>
        </div>
      )}
      {shown.length < days.length && (
        <div className="border-t border-hairline px-4 py-2">
          <Button variant="link" size="sm" onClick={() => { setAll(true) }}>
            {t('would.all-days', { shown: figures.count(days.length) })}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** A day's followers, and with several rows their total. */
const DayRows = ({ day: { day, lines, orders, contracts, money } }: { day: Day }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const traded = ({ bought, sold, contract }: DayLine): string => {
    const sides = { bought: figures.count(bought), sold: figures.count(sold), contract }
    return t(bought === 0 ? 'would.sold' : sold === 0 ? 'would.bought' : 'would.both', sides)
  }
  return (
    <tbody className="border-t border-hairline first-of-type:border-0">
      {lines.map((line, index) => (
        <tr key={`${line.follower} ${line.contract}`}>
          <Cell>{index === 0 && figures.fullDay(day)}</Cell>
          <Cell className="max-w-56"><CutName name={nameOf(line.follower)} /></Cell>
          <Cell>{traded(line)}</Cell>
          <Money of={line} />
        </tr>
      ))}
      {lines.length > 1 &&
        money.map((sum, index) => (
          <tr key={sum.currency} className="[&>td]:font-semibold">
            <Cell />
            <Cell>{index === 0 && t('would.sum')}</Cell>
            <Cell>
              {index === 0 &&
                t('would.in-all', { orders: t('would.orders', { count: orders, shown: figures.count(orders) }), contracts: t('would.contracts', { count: contracts, shown: figures.count(contracts) }) })}
            </Cell>
            <Money of={sum} />
          </tr>
        ))}
    </tbody>
  )
}

const Money = ({ of: { currency, gross, fees, net } }: { of: Pick<DayLine, 'currency' | 'gross' | 'fees' | 'net'> }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  return (
    <>
      <Cell end><Pnl value={gross} /></Cell>
      <Cell end quiet>{figures.money(fees)}</Cell>
      <Cell end>
        <Pnl value={net} /> <span className="text-sm text-faint">{t('would.currency', { currency })}</span>
      </Cell>
    </>
  )
}

/** How to read the figures, and what they leave out. */
const Doubts = ({ of: { open, assumed, unpriced, feesFrom } }: { of: DryRunAnswer }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const [neverClosed, stillOpen] = [open.filter(({ runEnded }) => runEnded), open.filter(({ runEnded }) => !runEnded)]
  const named = (positions: typeof open): string => positions.map(({ follower, contract, net }) => t('would.position', { net: figures.position(net), contract, account: nameOf(follower) })).join(', ')
  const sentences = [
    t('would.at-leader'),
    ...(assumed > 0 ? [t('would.assumed', { count: assumed, shown: figures.count(assumed) })] : []),
    ...(unpriced > 0 ? [t('would.unpriced', { count: unpriced, shown: figures.count(unpriced) })] : []),
    ...feeSources.flatMap((source) => (feesFrom[source].length > 0 ? [t(`would.fees.${source}`, { contracts: feesFrom[source].join(', ') })] : [])),
    ...(stillOpen.length > 0 ? [t('would.still-open', { positions: named(stillOpen) })] : []),
    ...(neverClosed.length > 0 ? [t('would.never-closed', { positions: named(neverClosed) })] : []),
  ]
  return <p className="text-sm text-muted">{sentences.join(' ')}</p>
}
