import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { DayNoteButton } from '#renderer/ui/day-note-button.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { linkLooks } from './link-looks.ts'
import { Fact, FeeWords } from './source-facts.tsx'
import { tripRiskOf } from './trade-risk.ts'
import { tripWordsOf } from './trip-words.ts'
import { isStopBeyond } from './user-fields.ts'

type Props = {
  readonly trip: ListedTrip
  readonly pairs: readonly Trade[]
  /** The stop as it is being edited, which is that of every pair; undefined where each keeps its own. */
  readonly stop: string | null | undefined
  /** The stop that worked at the broker; null where none is known. */
  readonly workingStop: string | null
  /** Saves the edits before a link leaves the dialog; false if they cannot be saved, and the link then does nothing. */
  readonly onLeave: () => boolean
}

/** Says where point value and fees of a trip came from, and what its R is by the stops of its pairs. */
export const TripSources = ({ trip, pairs, stop, workingStop, onLeave }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const { data } = useQuery(apiQuery(ownDataRoutes.defaultStops))
  const r = tripRiskOf(stop === undefined ? pairs : pairs.map((pair) => ({ ...pair, stop })), data?.stops ?? [])
  const one = stop === undefined ? tripWordsOf(pairs).fields.stop : stop
  const beyond = isStopBeyond(one, trip)
  const leave = (event: MouseEvent): void => {
    if (!onLeave()) event.preventDefault()
  }
  return (
    <dl aria-label={t('sources')} className="grid items-baseline gap-x-6 gap-y-1 rounded-md border border-hairline px-4 py-3 sm:grid-cols-[auto_1fr]">
      <Fact name={t('column.trading-day')}>
        {format.fullDay(trip.tradingDay)}
        <DayNoteButton tradingDay={trip.tradingDay} words className="ml-2 font-medium" />
      </Fact>
      <Fact name={t('multiplier')}>{t(`multiplier-source.${trip.multiplierSource}`)}</Fact>
      <Fact name={t('fees')}>
        <FeeWords of={trip} feeFrom={[...new Set(pairs.flatMap(({ feeFrom }) => feeFrom ?? []))]} onClick={leave} />
      </Fact>
      <Fact name={t('r')}>
        {r === null ? (beyond ? `${t('none')} ${t('r-beyond')}` : t(workingStop === null ? 'r-unknown' : 'r-not-noted')) : <span className="font-medium">{t('r-of', { r: format.signedRatio(r) })}</span>}{' '}
        {r !== null && t('r-pairs')}
        {r === null && !beyond && (
          <Link to={`${paths.settings}?section=stops`} onClick={leave} className={linkLooks}>
            {t('default-stops')}
          </Link>
        )}
      </Fact>
    </dl>
  )
}
