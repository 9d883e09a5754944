import { apiQuery } from '#renderer/lib/api.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { Pager, usePages } from '#renderer/ui/pager.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { copierRoutes, ledgerCsvPath, type CopyGroup, type LedgerCopy, type LedgerRow } from '#shared/api/copier.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight, CircleCheck, CircleDashed, Download, LoaderCircle, ScrollText, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DryRunCard } from './dry-run-card.tsx'
import { GroupChoice, useGroupChoice } from './group-choice.tsx'
import { knownReason, pastReason, summaryOf, weightOf } from './ledger-rows.ts'
import { SlippageWords } from './slippage-words.tsx'
import { DryRunMark } from './state-mark.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

const pageSize = 50
const newestAgainAfterMs = 3_000

/** Every fill of a leader, and every repair, exit and flatten, with its result at each follower; newest first. */
export const LedgerPanel = ({ groups }: { groups: readonly CopyGroup[] }) => {
  const { t } = useTranslation('trade-copier')
  const choice = useGroupChoice(groups)
  const { before, onNewer, turn, reset } = usePages()
  const query = { limit: pageSize, ...choice.query, ...(before === undefined ? {} : { before }) }
  const { data, error, refetch } = useQuery({ ...apiQuery(copierRoutes.ledger, { query }), placeholderData: keepPreviousData, staleTime: 0, refetchInterval: before === undefined ? newestAgainAfterMs : false })
  const last = data?.rows.at(-1)?.id
  return (
    <>
      <DryRunCard query={choice.query} />
      <Card
        title={t('ledger.title')}
        note={t('ledger.note')}
        className="shrink-0 overflow-hidden"
        actions={
          <>
            <GroupChoice groups={groups} {...choice} onChange={(id) => { reset(); choice.onChange(id) }} />
            <Button asChild variant="ghost" size="sm">
              <DownloadLink path={ledgerCsvPath} query={new URLSearchParams(choice.query)}>
                <Download aria-hidden />
                {t('ledger.csv')}
              </DownloadLink>
            </Button>
          </>
        }
      >
        {data === undefined && error !== null ? (
          <ErrorState failure={error} onRetry={() => void refetch()} />
        ) : data?.rows.length === 0 ? (
          <EmptyState Icon={ScrollText} title={t('ledger.empty')} text={t('ledger.empty-text')} />
        ) : (
          <div className="overflow-x-auto">
            <Table className="max-xl:[&_td:not(:first-child)]:pl-0 max-xl:[&_th:not(:first-child)]:pl-0">
              <caption className="sr-only">{t('ledger.title')}</caption>
              <thead>
                <tr>
                  {ledgerColumns.map((column) => (
                    <HeaderCell key={column} end={column === 'qty' || column === 'price' || column === 'slowest'}>
                      {t(`ledger.column.${column}`)}
                    </HeaderCell>
                  ))}
                </tr>
              </thead>
              {data === undefined ? (
                <tbody>
                  <SkeletonRows rows={8} columns={ledgerColumns.length} />
                </tbody>
              ) : (
                data.rows.map((row) => <LedgerLine key={row.id} row={row} group={groups.find(({ id }) => id === row.groupId) ?? null} />)
              )}
            </Table>
          </div>
        )}
        {data !== undefined && <Pager label={t('ledger.pages')} onNewer={onNewer} onOlder={data.more && last !== undefined ? () => { turn(last) } : null} className="justify-end gap-2 border-t border-hairline px-4 py-2" />}
      </Card>
    </>
  )
}

/** The columns of the ledger. */
const ledgerColumns = ['time', 'what', 'contract', 'side', 'qty', 'price', 'copies', 'slowest'] as const

/** One event: what the leader did, the result in one line, and expanded each follower's order. */
const LedgerLine = ({ row, group }: { row: LedgerRow; group: CopyGroup | null }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const [open, setOpen] = useState(false)
  const panel = useId()
  const { leader, kind, at } = row
  const summary = summaryOf(row)
  const wouldSend = ({ copies }: LedgerRow, orders: number): string => {
    const [first, ...more] = copies.filter(({ status }) => status === 'dry-run')
    if (first?.side && more.length === 0) return t('would.one', { order: t('ledger.order', { side: t(`side.${first.side}`), qty: figures.count(first.qty), contract: first.contract }), account: nameOf(first.follower) })
    const contracts = [first, ...more].reduce((sum, copy) => sum + (copy?.qty ?? 0), 0)
    return t('would.many', { orders: t('would.orders', { count: orders, shown: figures.count(orders) }), contracts: t('would.contracts', { count: contracts, shown: figures.count(contracts) }) })
  }
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <tbody className="border-t border-hairline first-of-type:border-0">
      <tr className="[&>td]:h-13 [&>td]:py-1.5">
        <Cell>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={panel}
            aria-label={t('ledger.open', { time: figures.dateTime(at), contract: leader.contract })}
            onClick={() => { setOpen(!open) }}
            className="-mx-1 inline-flex items-center gap-1.5 rounded-sm px-1 py-0.5"
          >
            <Chevron aria-hidden className="size-3.5 text-faint" />
            {figures.dateTime(at)}
          </button>
        </Cell>
        <Cell>
          <span className="block">{t(`ledger.kind.${kind}`)}</span>
          <span className="block max-w-48 truncate text-sm text-faint max-xl:max-w-32">{group === null ? nameOf(leader.account) : group.name}</span>
        </Cell>
        <Cell>{leader.contract}</Cell>
        <Cell quiet>{leader.side === null ? t('none') : t(`side.${leader.side}`)}</Cell>
        <Cell end>{leader.qty === 0 ? t('none') : figures.count(leader.qty)}</Cell>
        <Cell end>{leader.price === null ? t('none') : figures.price(leader.price)}</Cell>
        <Cell>
          {summary.dryRun > 0 ? (
            <DryRunMark />
          ) : (
            <span>{t('ledger.filled', { count: summary.copies, done: summary.done })}</span>
          )}
          <span className="block text-sm max-xl:max-w-36 max-xl:whitespace-normal">
            {summary.dryRun > 0 && <span className="text-muted">{wouldSend(row, summary.dryRun)} </span>}
            {summary.failed > 0 && <span className="text-warn">{t('ledger.failed', { count: summary.failed })} </span>}
            {summary.notSent > 0 && <span className="text-faint">{t('ledger.not-sent', { count: summary.notSent })} </span>}
            {summary.under > 0 && <span className="text-faint">{t('ledger.under', { count: summary.under })}</span>}
          </span>
        </Cell>
        <Cell end quiet>{summary.slowestMs === null ? t('none') : figures.ms(summary.slowestMs)}</Cell>
      </tr>
      {open && (
        <tr id={panel}>
          <td colSpan={ledgerColumns.length} className="border-b border-hairline bg-ground p-0">
            <LedgerCopies copies={row.copies} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

const looks = {
  done: { tone: 'gain', Icon: CircleCheck },
  under: { tone: 'accent', Icon: LoaderCircle },
  'left-out': { tone: 'quiet', Icon: CircleDashed },
  trouble: { tone: 'warn', Icon: TriangleAlert },
} as const

const columns = ['follower', 'order', 'status', 'filled', 'fill-price', 'to-wire', 'to-ack', 'to-fill', 'slippage'] as const
const figureColumns: readonly string[] = ['filled', 'fill-price', 'to-wire', 'to-ack', 'to-fill', 'slippage']

/** Each follower's order of one event: what was sent, its result, its latency and its slippage. */
const LedgerCopies = ({ copies }: { copies: readonly LedgerCopy[] }) => {
  const { t } = useTranslation('trade-copier')
  if (copies.length === 0) return <p className="px-4 py-3 text-muted">{t('ledger.no-copies')}</p>
  return (
    <div className="overflow-x-auto py-1">
      <Table className="[&_td:not(:last-child)]:pr-2 [&_th:not(:last-child)]:pr-2">
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column} end={figureColumns.includes(column)}>
                {t(`ledger.column.${column}`)}
              </HeaderCell>
            ))}
          </tr>
        </thead>
        {copies.map((copy) => (
          <Copy key={`${copy.follower} ${copy.clOrdId ?? ''}`} copy={copy} />
        ))}
      </Table>
    </div>
  )
}

const Copy = ({ copy }: { copy: LedgerCopy }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const { tone, Icon } = looks[weightOf(copy.status)]
  const order = copy.side === null ? copy.contract : t('ledger.order', { side: t(`side.${copy.side}`), qty: figures.count(copy.qty), contract: copy.contract })
  const time = (ms: number | null): string => (ms === null ? t('none') : figures.ms(ms))
  return (
    <tbody className="border-t border-hairline [&_td]:border-0">
      <tr>
        <Cell className="proportional-nums">{nameOf(copy.follower)}</Cell>
        <Cell>{copy.status === 'dry-run' ? t('would.order', { order }) : order}</Cell>
        <Cell>
          <Badge tone={tone}>
            <Icon aria-hidden />
            {t(`status.${copy.status}`)}
          </Badge>
        </Cell>
        <Cell end>{copy.qty === 0 || copy.status === 'dry-run' ? <span className="text-faint">{t('none')}</span> : t('ledger.of', { filled: figures.count(copy.filled), qty: figures.count(copy.qty) })}</Cell>
        <Cell end>{copy.price === null ? t('none') : figures.price(copy.price)}</Cell>
        <Cell end quiet>{time(copy.times.toWire)}</Cell>
        <Cell end quiet>{time(copy.times.toAck)}</Cell>
        <Cell end quiet>{time(copy.times.toFill)}</Cell>
        <Cell end>{copy.slippage === null ? <span className="text-faint">{t('none')}</span> : <SlippageWords {...copy.slippage} />}</Cell>
      </tr>
      {copy.why !== null && (
        <tr>
          <td colSpan={columns.length} className="px-4 pb-2 text-sm text-muted">
            <Why why={copy.why} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** Why a copy did not go as planned: in our words if the reason is ours, otherwise in the broker's. */
const Why = ({ why }: { why: string }) => {
  const { t } = useTranslation('trade-copier')
  const past = pastReason(why)
  const reason = knownReason(why)
  if (past !== null) return t(`ledger.why.${past}`)
  return reason === null ? t('broker-said', { text: why }) : t(`why.${reason}`)
}
