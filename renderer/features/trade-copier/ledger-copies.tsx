import { Badge } from '#renderer/ui/badge.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { LedgerCopy } from '#shared/api/copier.ts'
import { CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { knownReason, pastReason, weightOf } from './ledger-rows.ts'
import { SlippageWords } from './slippage-words.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

const looks = {
  done: { tone: 'gain', Icon: CircleCheck },
  under: { tone: 'accent', Icon: LoaderCircle },
  'left-out': { tone: 'quiet', Icon: CircleDashed },
  trouble: { tone: 'warn', Icon: TriangleAlert },
} as const

const columns = ['follower', 'order', 'status', 'filled', 'fill-price', 'to-wire', 'to-ack', 'to-fill', 'slippage'] as const
const figureColumns: readonly string[] = ['filled', 'fill-price', 'to-wire', 'to-ack', 'to-fill', 'slippage']

/** Each follower's order of one event: what was sent, its result, its latency and its slippage. */
export const LedgerCopies = ({ copies }: { copies: readonly LedgerCopy[] }) => {
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
