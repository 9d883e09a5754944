import { monogram } from '#renderer/lib/monogram.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { ArrowLeftRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { tracksOf, type columnsOf } from './columns.ts'
import type { GroupLine, OpenSum } from './grouping.ts'
import { useWeakness } from './use-weakness.ts'

type Props = {
  readonly line: number
  readonly columns: ReturnType<typeof columnsOf>
  readonly heading: Extract<GroupLine, { kind: 'product' | 'firm' | 'flat' }>
  readonly now: number
  /** Whether the row is in the tab order. */
  readonly active: boolean
  /** Measures the row: in a narrow window its total may take a second line. */
  readonly measure: (row: HTMLTableRowElement | null) => void
}

/** The heading of a product, a firm, or the flat accounts; its total open P&L is aligned with the positions' open P&L. */
export const HeadingLine = ({ line, columns, heading, now, active, measure }: Props) => (
  <tr ref={measure} data-line={line} data-index={line} aria-rowindex={line + 2} tabIndex={active ? 0 : -1} className="h-11 bg-ground -outline-offset-2">
    <td colSpan={columns.length} className="border-b border-hairline px-0!">
      <div className="grid" style={{ gridTemplateColumns: tracksOf(columns).tracks }}>
        <div className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-2 pl-4">{heading.kind === 'product' ? <Product {...heading} now={now} /> : heading.kind === 'firm' ? <Firm {...heading} now={now} /> : <Flat {...heading} />}</div>
      </div>
    </td>
  </tr>
)

const Product = ({ market, exposure, positions, open, now }: Extract<GroupLine, { kind: 'product' }> & { now: number }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  return (
    <>
      <span className="text-title font-semibold">{market}</span>
      <Quiet>{t('positions', { count: positions })}</Quiet>
      {exposure !== null && <Quiet>{t('micros-net', { net: format.signedWhole(Math.round(exposure.net)), count: Math.abs(Math.round(exposure.net)) })}</Quiet>}
      {exposure !== null && exposure.long !== 0 && exposure.short !== 0 && (
        <Badge tone="warn">
          <ArrowLeftRight aria-hidden />
          {t('opposite', { long: format.count(Math.round(exposure.long)), short: format.count(Math.round(Math.abs(exposure.short))) })}
        </Badge>
      )}
      <Sums open={open} now={now} />
    </>
  )
}

const Firm = ({ firm, accounts, positions, open, now }: Extract<GroupLine, { kind: 'firm' }> & { now: number }) => {
  const { t } = useTranslation('position-scanner')
  return (
    <>
      {firm !== null && <Monogram letters={monogram(firm)} />}
      <span className="text-title font-semibold">{firm ?? t('no-firm')}</span>
      <Quiet>{t('in-accounts', { positions: t('positions', { count: positions }), count: accounts })}</Quiet>
      <Sums open={open} now={now} />
    </>
  )
}

const Flat = ({ accounts }: Extract<GroupLine, { kind: 'flat' }>) => {
  const { t } = useTranslation('position-scanner')
  return (
    <>
      <span className="font-semibold">{t('no-open')}</span>
      <Quiet>{t('accounts', { count: accounts })}</Quiet>
    </>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => <span className="text-sm whitespace-nowrap text-muted">{children}</span>

/** Open P&L by currency, with its limitations at `now` (UTC ms). */
const Sums = ({ open, now }: { open: readonly OpenSum[]; now: number }) => {
  const { t } = useTranslation('position-scanner')
  const format = useFormat()
  const weakness = useWeakness()
  return (
    <span className="ml-auto flex items-baseline gap-4">
      {open.map((sum) => (
        <span key={sum.currency} className="flex items-baseline gap-1.5 whitespace-nowrap">
          <span className="text-xs text-faint">{weakness(sum, now)}</span>
          <span className="text-xs text-faint">{t('open-in', { currency: format.currencyName(sum.currency) })}</span>
          <Pnl value={sum.amount} className="font-semibold" />
        </span>
      ))}
    </span>
  )
}
