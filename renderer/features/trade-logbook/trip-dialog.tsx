import { apiQuery } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LeftDraft } from './left-draft.ts'
import { edited, useLocalChanges } from './local-changes.ts'
import { TradeDialog } from './trade-dialog.tsx'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { TradeFacts } from './trade-facts.tsx'
import { TradeWalk, type Beside } from './trade-walk.tsx'
import { TripSources } from './trip-sources.tsx'
import { tripEdits, tripWordsOf } from './trip-words.ts'
import type { TradeChanges } from './use-trade-changes.ts'
import { userDraftOf, type UserDraft, type UserFields } from './user-fields.ts'
import { WarningWords } from './warning-words.tsx'

type Props = {
  readonly trip: ListedTrip
  /** What stands in it where it was left before. */
  readonly left: LeftDraft | null
  /** Told what was changed and is not saved, null for nothing; so is `onRemove`. */
  readonly onClose: (left: LeftDraft | null) => void
  readonly onSave: TradeChanges['edit']
  readonly onRemove: (pairs: readonly Trade[], left: LeftDraft | null) => void
  readonly beside: Beside
}

/** A trip: what the user notes on it is kept with its pairs. Of one pair it is the dialog of that pair. */
export const TripDialog = (props: Props) => {
  const { trip, onClose, onSave, onRemove, left, beside } = props
  const { data, error, isFetching, refetch } = useQuery(apiQuery(journalRoutes.tripPairs, { query: { tripId: trip.id } }))
  const { edits, removed } = useLocalChanges()
  // What was read before may be old, and what a sync brings meanwhile must not change the form under the user's hands.
  const [pairs, begin] = useState<readonly Trade[]>([])
  const shown = data?.rows.filter(({ id }) => !removed.has(id)).map((pair) => edited(pair, edits)) ?? []
  if (pairs.length === 0 && shown.length > 0 && !isFetching) begin(shown)
  const [only, second] = pairs
  if (only === undefined) return error === null ? null : <Failed trip={trip} failure={error} onRetry={() => void refetch()} onClose={() => { onClose(null) }} />
  if (second === undefined) return <TradeDialog trade={only} left={left} onClose={onClose} onSave={onSave} onRemove={(trade, draft) => { onRemove([trade], draft) }} beside={beside} />
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

const TripForm = ({ trip, left, pairs, onClose, onSave, onRemove, beside }: Props & { pairs: readonly Trade[] }) => {
  const { t } = useTranslation('trade-logbook')
  const words = tripWordsOf(pairs)
  const keep = (fields: UserFields | null): boolean => {
    if (fields === null) return false
    for (const { pair, updates } of tripEdits(pairs, fields)) onSave(pair, updates, updates)
    return true
  }
  const save = (fields: UserFields | null): boolean => {
    const kept = keep(fields)
    if (kept) onClose(null)
    return kept
  }
  const leftWith = (own: UserDraft | null): LeftDraft | null => (own === null ? null : { facts: null, own })
  return (
    <TradeDialogFrame
      title={t('trade-title', { symbol: trip.symbol, side: t(`side.${trip.side}`) })}
      text={t('trip-text')}
      submit={t('save')}
      aside={(own) => (
        <Button variant="ghost" className="mr-auto -ml-3" onClick={() => { onRemove(pairs, leftWith(own)) }}>
          <Trash2 aria-hidden />
          {t('remove')}
        </Button>
      )}
      own={userDraftOf(words.fields)}
      left={left?.own}
      entry={trip}
      walk={(fields) => <TradeWalk beside={beside} onLeave={() => keep(fields)} />}
      changed={false}
      focusNotes
      onSubmit={save}
      onClose={(own) => { onClose(leftWith(own)) }}
      below={(fields) => <TripSources trip={trip} pairs={pairs} stop={fields === null || fields.stop === words.fields.stop ? undefined : fields.stop} onLeave={() => save(fields)} />}
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
    </TradeDialogFrame>
  )
}
