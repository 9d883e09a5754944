import { apiQuery } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ChartLater } from './chart/chart-later.tsx'
import { EditDialog, type Leaving } from './edit-dialog.tsx'
import { edited, useLocalChanges } from './local-changes.ts'
import { TradeDialog } from './trade-dialog.tsx'
import { TradeFacts } from './trade-facts.tsx'
import type { Neighbors } from './trade-walk.tsx'
import { ExcursionsLater } from './excursions-later.tsx'
import { TripSourceFacts } from './source-facts.tsx'
import { tripWordsOf } from './trip-words.ts'
import { readUserDraft } from './user-fields.ts'
import { useTradeForm } from './trade-saving.ts'
import { useWorkingStop } from './use-working-stop.ts'
import { WarningWords } from './warning-words.tsx'

type Props = {
  readonly trip: ListedTrip
  /** Called with the id of the form that closes: that of the trade, or of its only fill pair. */
  readonly onClose: (leaving: Leaving, id: string) => void
  /** `changed`: whether something was changed in the form before. */
  readonly onRemove: (pairs: readonly Trade[], changed: boolean) => void
  readonly neighbors: Neighbors
}

/** The dialog of a trip, whose notes are kept on its pairs; of a trip of one pair, the dialog of that pair. */
export const TripDialog = (props: Props) => {
  const { trip, onClose, onRemove, neighbors } = props
  const { data, error, isFetching, refetch } = useQuery(apiQuery(journalRoutes.tripPairs, { query: { tripId: trip.id } }))
  const { edits, removed } = useLocalChanges()
  // A cached answer may be old, and a sync must not change the form while the user edits it.
  const [pairs, begin] = useState<readonly Trade[]>([])
  const shown = data?.rows.filter(({ id }) => !removed.has(id)).map((pair) => edited(pair, edits)) ?? []
  if (pairs.length === 0 && shown.length > 0 && !isFetching) begin(shown)
  const [only, second] = pairs
  if (only === undefined) return error === null ? null : <Failed trip={trip} failure={error} onRetry={() => void refetch()} onClose={() => { onClose('unchanged', trip.id) }} />
  if (second === undefined) return <TradeDialog trade={only} onClose={(leaving) => { onClose(leaving, only.id) }} onRemove={(trade, changed) => { onRemove([trade], changed) }} neighbors={neighbors} />
  return <TripForm {...props} pairs={pairs} />
}

const Failed = ({ trip, failure, onRetry, onClose }: { trip: ListedTrip; failure: unknown; onRetry: () => void; onClose: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <Dialog open onClose={onClose} title={t('trade-title', { symbol: trip.symbol, side: t(`side.${trip.side}`) })} width="lg">
      <ErrorState failure={failure} onRetry={onRetry} />
    </Dialog>
  )
}

const TripForm = ({ trip, pairs: opened, onClose, onRemove, neighbors }: Props & { pairs: readonly Trade[] }) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const form = useTradeForm(trip.id, { pairs: opened, whole: true, zone })
  const { pairs, draft } = form.editing
  const words = tripWordsOf(pairs)
  const known = useWorkingStop(trip.id)
  // If the pairs have different stops, the field is empty although stops are noted.
  const workingStop = words.mixedStops ? null : known
  const fields = readUserDraft(draft.own).fields
  const onLeave = (event: MouseEvent): void => {
    if (form.keep()) onClose('unchanged', trip.id)
    else event.preventDefault()
  }
  return (
    <EditDialog
      title={t('trade-title', { symbol: trip.symbol, side: t(`side.${trip.side}`) })}
      text={t('trip-text')}
      form={form}
      neighbors={neighbors}
      focusNotes
      workingStop={workingStop}
      onClose={(leaving) => { onClose(leaving, trip.id) }}
      onRemove={() => { onRemove(pairs, form.isChanged()) }}
      below={
        <>
          <TripSourceFacts trip={trip} pairs={pairs} stop={fields === null || fields.stop === words.fields.stop ? undefined : fields.stop} workingStop={workingStop} onLeave={onLeave} />
          <ExcursionsLater id={trip.id} onLeave={onLeave} />
          <ChartLater id={trip.id} stop={fields === null ? words.fields.stop : fields.stop} form={form} />
        </>
      }
    >
      {trip.warnings.length > 0 && (
        <Notice tone="warn">
          <WarningWords shown={trip} />
        </Notice>
      )}
      <TradeFacts trade={{ ...trip, platform: pairs[0]?.platform ?? '' }} />
      {(words.others > 0 || words.mixedStops) && (
        <Notice>
          {words.others > 0 && <p>{t('trip-others', { count: words.others })}</p>}
          {words.mixedStops && <p>{t('trip-stops')}</p>}
        </Notice>
      )}
    </EditDialog>
  )
}
