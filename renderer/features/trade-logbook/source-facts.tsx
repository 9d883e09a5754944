import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { linkLooks } from './link-looks.ts'
import { riskOf } from './trade-risk.ts'
import { isStopBeyond } from './user-fields.ts'

type Props = {
  readonly trade: Trade
  /** The stop as it is being edited; null for none. */
  readonly stop: string | null
  /** The stop that worked at the broker; null where none is known. */
  readonly workingStop: string | null
  /** Saves the edits before a link leaves the dialog; false if they cannot be saved, and the link then does nothing. */
  readonly onLeave: () => boolean
}

/** Says where multiplier and fees of a trade came from and what its R is, and leads to where that can be changed. */
export const SourceFacts = ({ trade, stop, workingStop, onLeave }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data } = useQuery(apiQuery(ownDataRoutes.defaultStops))
  const product = wholeRootOf(trade.symbol)
  const risk = riskOf(trade, stop, data?.stops ?? [])
  const leave = (event: MouseEvent): void => {
    if (!onLeave()) event.preventDefault()
  }
  return (
    <dl aria-label={t('sources')} className="grid items-baseline gap-x-6 gap-y-1 rounded-md border border-hairline px-4 py-3 sm:grid-cols-[auto_1fr]">
      <Fact name={t('column.trading-day')}>
        {format.fullDay(trade.tradingDay)}
        <DayNoteButton tradingDay={trade.tradingDay} words className="ml-2 font-medium" />
      </Fact>
      <Fact name={t('multiplier')}>{t(`multiplier-source.${trade.multiplierSource}`)}</Fact>
      <Fact name={t('fees')}>
        <FeeWords of={trade} feeFrom={trade.feeFrom ?? []} onClick={leave} />
      </Fact>
      <Fact name={t('r')}>
        {risk === null ? (isStopBeyond(stop, trade) ? `${t('none')} ${t('r-beyond')}` : t(workingStop === null ? 'r-unknown' : 'r-not-noted')) : <span className="font-medium">{t('r-of', { r: format.signedRatio(risk.r) })}</span>}{' '}
        {risk?.by === 'own' && t('r-own', { stop: format.price(risk.stop) })}
        {risk?.by === 'default' && t(`r-default.${risk.stop.unit}`, { product, distance: risk.stop.distance })}
        {risk?.by !== 'own' && !isStopBeyond(stop, trade) && (
          <Link to={`${paths.settings}?section=stops`} onClick={leave} className={linkLooks}>
            {t('default-stops')}
          </Link>
        )}
      </Fact>
    </dl>
  )
}

type Charged = Pick<ListedTrip, 'symbol' | 'feeSource' | 'accountId' | 'origin' | 'otherFees'>

/** Where fees came from, and the way to the rate that they follow. `feeFrom` names who had the last word on them. */
export const FeeWords = ({ of, feeFrom, onClick }: { of: Charged; feeFrom: readonly string[]; onClick: (event: MouseEvent) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const product = wholeRootOf(of.symbol)
  const rate = `${paths.settings}?${new URLSearchParams({ section: 'commissions', of: `account:${of.accountId}`, product }).toString()}`
  const numbered = (of.otherFees ?? []).map(({ currency }) => currency).filter((currency) => currency.startsWith('#'))
  return (
    <>
      {t(`fee-source.${of.feeSource}`)}
      {feeFrom.length > 0 && ` ${t('fee-last-word', { files: feeFrom.join(', ') })}`}
      {of.otherFees !== undefined && ` ${t('other-fees-apart')}`}
      {numbered.length > 0 && ` ${t('other-fees-numbered', { numbers: numbered.map((currency) => currency.slice(1)).join(', ') })}`}
      {isRated(of) && (
        <Link to={rate} onClick={onClick} className={linkLooks}>
          {t(of.feeSource === 'setting' ? 'change-rate' : 'set-rate', { product })}
        </Link>
      )}
    </>
  )
}

// Fees of a broker or file are final, and a manual trade has a fee field.
const isRated = ({ feeSource, accountId, origin }: Charged): boolean => origin === 'synced' && accountId !== '' && (feeSource === 'table' || feeSource === 'setting' || feeSource === 'mixed')

/** One fact by its name. */
export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="text-ink">{children}</dd>
  </>
)
