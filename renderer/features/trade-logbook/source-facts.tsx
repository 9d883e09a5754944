import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { linkLooks } from './link-looks.ts'
import { pairRiskOf, tradeRiskOf } from './trade-risk.ts'
import { tradeAnnotationsOf } from './trade-annotations.ts'
import { isStopBeyond } from './user-fields.ts'

type Props = {
  /** The stop that worked at the broker; null where none is known. */
  readonly workingStop: string | null
  /** Called when a link leads away. */
  readonly onLeave: (event: MouseEvent) => void
}

/** Says where multiplier and fees of a fill pair came from and what its R is, with links to the settings that change them. */
export const SourceFacts = ({ pair, stop, ...rest }: Props & {
  readonly pair: FillPairRecord
  /** The stop as it is being edited; null for none. */
  readonly stop: string | null
}) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const risk = pairRiskOf(pair, stop, useDefaultStops())
  return (
    <Sources {...rest} of={pair} feeFrom={pair.feeFrom ?? []} r={risk?.r ?? null} stop={stop} isOwnStop={risk?.by === 'own'}>
      {risk?.by === 'own' && t('r-own', { stop: format.price(risk.stop) })}
      {risk?.by === 'default' && t(`r-default.${risk.stop.unit}`, { product: wholeRootOf(pair.symbol), distance: risk.stop.distance })}
    </Sources>
  )
}

type TradeProps = Props & {
  readonly trade: ListedTrade
  readonly pairs: readonly FillPairRecord[]
  /** The stop as it is being edited, for every pair; undefined where each keeps its own. */
  readonly stop: string | null | undefined
}

/** The same for a trade; its R is that of its pairs together. */
export const TradeSourceFacts = ({ trade, pairs, stop, ...rest }: TradeProps) => {
  const { t } = useTranslation('trade-logbook')
  const r = tradeRiskOf(stop === undefined ? pairs : pairs.map((pair) => ({ ...pair, stop })), useDefaultStops())
  const feeFrom = [...new Set(pairs.flatMap((pair) => pair.feeFrom ?? []))]
  return (
    <Sources {...rest} of={trade} feeFrom={feeFrom} r={r} stop={stop === undefined ? tradeAnnotationsOf(pairs).fields.stop : stop} isOwnStop={r !== null}>
      {r !== null && t('r-pairs')}
    </Sources>
  )
}

const useDefaultStops = () => useQuery(apiQuery(ownDataRoutes.defaultStops)).data?.stops ?? []

type SourcesProps = Props & {
  readonly of: FillPairRecord | ListedTrade
  readonly feeFrom: readonly string[]
  readonly r: number | null
  readonly stop: string | null
  /** Whether the R is by stops of the trade itself, so that a default stop would not change it. */
  readonly isOwnStop: boolean
  /** The stop that the R is based on. */
  readonly children: ReactNode
}

const Sources = ({ of, feeFrom, r, stop, isOwnStop, workingStop, onLeave, children }: SourcesProps) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const isBeyond = isStopBeyond(stop, of)
  const withoutR = (): string => (isBeyond ? `${t('none')} ${t('r-beyond')}` : t(workingStop === null ? 'r-unknown' : 'r-not-noted'))
  return (
    <dl aria-label={t('sources')} className="grid items-baseline gap-x-6 gap-y-1 rounded-md border border-hairline px-4 py-3 sm:grid-cols-[auto_1fr]">
      <Fact name={t('column.trading-day')}>
        {format.fullDay(of.tradingDay)}
        <DayNoteButton tradingDay={of.tradingDay} words className="ml-2 font-medium" />
      </Fact>
      <Fact name={t('multiplier')}>{t(`multiplier-source.${of.multiplierSource}`)}</Fact>
      <Fact name={t('fees')}>
        <FeeWords of={of} feeFrom={feeFrom} onClick={onLeave} />
      </Fact>
      <Fact name={t('r')}>
        {r === null ? withoutR() : <span className="font-medium">{t('r-of', { r: format.signedRatio(r) })}</span>}{' '}
        {children}
        {!isOwnStop && !isBeyond && (
          <Link to={`${paths.settings}?section=stops`} onClick={onLeave} className={linkLooks}>
            {t('default-stops')}
          </Link>
        )}
      </Fact>
    </dl>
  )
}

type Charged = Pick<ListedTrade, 'symbol' | 'feeSource' | 'accountId' | 'origin' | 'otherFees'>

/** Where fees came from, with a link to their rate. `feeFrom` names the files or brokers that had the last word on them. */
const FeeWords = ({ of, feeFrom, onClick }: { of: Charged; feeFrom: readonly string[]; onClick: (event: MouseEvent) => void }) => {
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

// Fees of a broker or file are final, and a trade entered by hand has a fee field.
const isRated = ({ feeSource, accountId, origin }: Charged): boolean => origin === 'synced' && accountId !== '' && (feeSource === 'table' || feeSource === 'setting' || feeSource === 'mixed')

/** One fact by its name. */
export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="text-ink">{children}</dd>
  </>
)
