import { Cell } from '#renderer/ui/table.tsx'
import type { CopyGroup, LedgerRow } from '#shared/api/copier.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LedgerCopies } from './ledger-copies.tsx'
import { summaryOf } from './ledger-rows.ts'
import { DryRunMark } from './state-mark.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

/** The columns of the ledger. */
export const ledgerColumns = ['time', 'what', 'contract', 'side', 'qty', 'price', 'copies', 'slowest'] as const

/** One event: what the leader did, the result in one line, and expanded each follower's order. */
export const LedgerLine = ({ row, group }: { row: LedgerRow; group: CopyGroup | null }) => {
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
