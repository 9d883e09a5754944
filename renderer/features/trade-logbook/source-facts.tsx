import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { Trade } from '#shared/api/records.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { riskOf } from './trade-risk.ts'

type Props = {
  readonly trade: Trade
  /** The stop as it is being edited; null for none. */
  readonly stop: string | null
  /** Keeps what is edited before a link leads away; false where it cannot be kept, and the link then stays. */
  readonly onLeave: () => boolean
}

/** Says where multiplier and fees of a trade came from and what its R is, and leads to where that can be changed. */
export const SourceFacts = ({ trade, stop, onLeave }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data } = useQuery(apiQuery(ownDataRoutes.defaultStops))
  const product = wholeRootOf(trade.symbol)
  const risk = riskOf(trade, stop, data?.stops ?? [])
  const leave = (event: MouseEvent): void => {
    if (!onLeave()) event.preventDefault()
  }
  const rate = `${paths.settings}?${new URLSearchParams({ section: 'commissions', of: `account:${trade.accountId}`, product }).toString()}`
  const numbered = (trade.otherFees ?? []).map(({ currency }) => currency).filter((currency) => currency.startsWith('#'))
  return (
    <dl aria-label={t('sources')} className="grid items-baseline gap-x-6 gap-y-1 rounded-md border border-hairline px-4 py-3 sm:grid-cols-[auto_1fr]">
      <Fact name={t('column.trading-day')}>
        {format.fullDay(trade.tradingDay)}
        <DayNoteButton tradingDay={trade.tradingDay} words className="ml-2 font-medium" />
      </Fact>
      <Fact name={t('multiplier')}>{t(`multiplier-source.${trade.multiplierSource}`)}</Fact>
      <Fact name={t('fees')}>
        {t(`fee-source.${trade.feeSource}`)}
        {trade.feeFrom !== undefined && ` ${t('fee-last-word', { files: trade.feeFrom.join(', ') })}`}
        {trade.otherFees !== undefined && ` ${t('other-fees-apart')}`}
        {numbered.length > 0 && ` ${t('other-fees-numbered', { numbers: numbered.join(', ') })}`}
        {isRated(trade) && (
          <Link to={rate} onClick={leave} className={linkLooks}>
            {t(trade.feeSource === 'setting' ? 'change-rate' : 'set-rate', { product })}
          </Link>
        )}
      </Fact>
      <Fact name={t('r')}>
        {risk === null ? t('r-unknown') : <span className="font-medium">{t('r-of', { r: format.signedRatio(risk.r) })}</span>}{' '}
        {risk?.by === 'own' && t('r-own', { stop: format.price(risk.stop) })}
        {risk?.by === 'default' && t(`r-default.${risk.stop.unit}`, { product, distance: risk.stop.distance })}
        {risk?.by !== 'own' && (
          <Link to={`${paths.settings}?section=stops`} onClick={leave} className={linkLooks}>
            {t('default-stops')}
          </Link>
        )}
      </Fact>
    </dl>
  )
}

/** How a link among the facts looks. */
export const linkLooks = 'ml-2 font-medium whitespace-nowrap text-accent underline-offset-3 hover:underline'

// What broker or file charged stands, and of a trade by hand the fee is a field of its own.
const isRated = ({ feeSource, accountId, origin }: Trade): boolean => origin === 'synced' && accountId !== '' && (feeSource === 'table' || feeSource === 'setting' || feeSource === 'mixed')

/** One fact by its name. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="text-ink">{children}</dd>
  </>
)
