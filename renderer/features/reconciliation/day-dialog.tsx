import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { reconciliationRoutes, type ReconciledDayProof, type ReconciledFees } from '#shared/api/reconciliation.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { DayFigures } from './day-figures.tsx'
import { ProofCash } from './proof-cash.tsx'
import { ProofPairs } from './proof-pairs.tsx'
import type { OpenDay } from './address.ts'
import { Difference, Money } from './money.tsx'

type Props = {
  readonly open: OpenDay
  readonly name: string
  readonly fileOnly: boolean
  /** The broker that states the P&L of each fill itself. */
  readonly statedBy: string | null
  readonly onClose: () => void
}

/** A day's details: its figures on both sides, and the pairs and fees behind them or behind their difference. */
export const DayDialog = ({ open, name, fileOnly, statedBy, onClose }: Props) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  const { data, error, refetch } = useQuery(apiQuery(reconciliationRoutes.reconciledDay, { query: open }))
  const trades = searchOf({ ...everyTrade, from: open.day, to: open.day, accounts: open.account === '' ? [] : [open.account] }, 'pairs')
  return (
    <Dialog
      open
      onClose={onClose}
      width="full"
      title={t('day-of', { day: format.fullDay(open.day), account: name })}
      description={t('day-text')}
      footer={
        <Button asChild variant="outline">
          <Link to={`${paths.tradeLogbook}${trades}`}>{t('to-logbook')}</Link>
        </Button>
      }
    >
      {data === undefined ? (
        error === null ? <Loading /> : <ErrorState failure={error} onRetry={() => void refetch()} />
      ) : (
        <Proof proof={data} fileOnly={fileOnly} statedBy={statedBy} />
      )}
    </Dialog>
  )
}

const Loading = () => (
  <div className="flex flex-col gap-3 py-2">
    <Skeleton className="h-4 w-1/3" />
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-40 w-full" />
  </div>
)

const Proof = ({ proof: { days, cash, pairs, fees }, fileOnly, statedBy }: { proof: ReconciledDayProof } & Pick<Props, 'fileOnly' | 'statedBy'>) => {
  const isExplained =
    pairs.some(({ state, entered }) => state === 'differs' || entered) ||
    fees.some(({ difference }) => Number(difference) !== 0) ||
    cash.some(({ terms }) => terms.some(({ of }) => of !== 'openings'))
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-x-10 gap-y-5 xl:grid-cols-2">
        <div className="flex flex-col gap-5">
          {days.map((day, place) => (
            <DayFigures key={day.currency ?? ''} day={day} cash={cash[place] ?? null} fileOnly={fileOnly} statedBy={statedBy} severalCurrencies={days.length > 1} isExplained={isExplained} />
          ))}
        </div>
        <div className="flex flex-col gap-5">
          {cash.map((each) => (
            <ProofCash key={each.currency ?? ''} cash={each} severalCurrencies={days.length > 1} />
          ))}
          <ProofFees fees={fees} statedBy={statedBy} />
        </div>
      </div>
      <ProofPairs pairs={pairs} statedBy={statedBy} />
    </div>
  )
}

/** The fees of a day by contract, on the day of their fills. */
const ProofFees = ({ fees, statedBy }: { fees: readonly ReconciledFees[] } & Pick<Props, 'statedBy'>) => {
  const { t } = useTranslation('reconciliation')
  const format = useFormat()
  if (fees.length === 0) return null
  const severalCurrencies = new Set(fees.map(({ currency }) => currency)).size > 1
  return (
    <section aria-label={t('fees-by-contract')}>
      <h3 className="mb-1 font-semibold">{t('fees-by-contract')}</h3>
      <p className="mb-1 text-sm text-muted">{fees.some(({ broker }) => broker !== null) ? t('fees-text') : t('fees-not-itemized')}</p>
      <Table className="max-w-xl [&_td]:h-8 [&_th]:h-8">
        <thead>
          <tr>
            <HeaderCell>{t('contract')}</HeaderCell>
            <HeaderCell end>{t('fillbook')}</HeaderCell>
            <HeaderCell end>{statedBy ?? t('broker')}</HeaderCell>
            <HeaderCell end>{t('difference')}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {fees.map(({ contract, currency, fillbook, broker, difference }) => (
            <tr key={`${contract ?? ''} ${currency ?? ''}`}>
              <Cell>
                {contract ?? <span className="text-faint">{t('no-contract')}</span>}
                {severalCurrencies && currency !== null && <span className="ml-1.5 text-faint">{format.currencyName(currency)}</span>}
              </Cell>
              <Cell end><Money value={fillbook} /></Cell>
              <Cell end><Money value={broker} /></Cell>
              <Cell end><Difference value={difference} checked /></Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
