import { apiQuery } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChartLater } from './chart/chart-later.tsx'
import { EditDialog, type Leaving } from './edit-dialog.tsx'
import { editedPair, useLocalChanges } from './local-changes.ts'
import { PairDialog } from './pair-dialog.tsx'
import { TradeFacts } from './trade-facts.tsx'
import type { Neighbors } from './trade-walk.tsx'
import { ExcursionsLater } from './excursions-later.tsx'
import { TradeSourceFacts } from './source-facts.tsx'
import { tradeAnnotationsOf } from './trade-annotations.ts'
import { readUserDraft } from './user-fields.ts'
import { useTradeForm } from './trade-saving.ts'
import { useWorkingStop } from './use-working-stop.ts'
import { WarningWords } from './warning-words.tsx'

type Props = {
  readonly trade: ListedTrade
  /** Called with the id of the form that closes: that of the trade, or of its only fill pair. */
  readonly onClose: (leaving: Leaving, id: string) => void
  /** `changed`: whether something was changed in the form before. */
  readonly onRemove: (pairs: readonly FillPairRecord[], changed: boolean) => void
  readonly neighbors: Neighbors
}

/** The dialog of a trade, whose notes are kept on its pairs; of a trade of one pair, the dialog of that pair. */
export const TradeDialog = (props: Props) => {
  const { trade, onClose, onRemove, neighbors } = props
  const { data, error, isFetching, refetch } = useQuery(apiQuery(journalRoutes.tradePairs, { query: { tradeId: trade.id } }))
  const { edits, removed } = useLocalChanges()
  // A cached answer may be old, and a sync must not change the form while the user edits it.
  const [pairs, begin] = useState<readonly FillPairRecord[]>([])
  const shown = data?.rows.filter(({ id }) => !removed.has(id)).map((pair) => editedPair(pair, edits)) ?? []
  if (pairs.length === 0 && shown.length > 0 && !isFetching) begin(shown)
  const [only, second] = pairs
  if (only === undefined) return error === null ? null : <Failed trade={trade} failure={error} onRetry={() => void refetch()} onClose={() => { onClose('unchanged', trade.id) }} />
  if (second === undefined) return <PairDialog pair={only} onClose={(leaving) => { onClose(leaving, only.id) }} onRemove={(pair, changed) => { onRemove([pair], changed) }} neighbors={neighbors} />
  return <WholeTradeDialog {...props} pairs={pairs} />
}

const Failed = ({ trade, failure, onRetry, onClose }: { trade: ListedTrade; failure: unknown; onRetry: () => void; onClose: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <Dialog open onClose={onClose} title={t('trade-title', { symbol: trade.symbol, side: t(`side.${trade.side}`) })} width="lg">
      <ErrorState failure={failure} onRetry={onRetry} />
    </Dialog>
  )
}

const WholeTradeDialog = ({ trade, pairs: opened, onClose, onRemove, neighbors }: Props & { pairs: readonly FillPairRecord[] }) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const form = useTradeForm(trade.id, { pairs: opened, whole: true, zone })
  const { pairs, draft } = form.editing
  const annotations = tradeAnnotationsOf(pairs)
  const known = useWorkingStop(trade.id)
  // If the pairs have different stops, the field is empty although stops are noted.
  const workingStop = annotations.mixedStops ? null : known
  const fields = readUserDraft(draft.own).fields
  const onLeave = (event: MouseEvent): void => {
    if (form.keep()) onClose('unchanged', trade.id)
    else event.preventDefault()
  }
  return (
    <EditDialog
      title={t('trade-title', { symbol: trade.symbol, side: t(`side.${trade.side}`) })}
      text={t('trade-text')}
      form={form}
      neighbors={neighbors}
      focusNotes
      workingStop={workingStop}
      onClose={(leaving) => { onClose(leaving, trade.id) }}
      onRemove={() => { onRemove(pairs, form.isChanged()) }}
      below={
        <>
          <TradeSourceFacts trade={trade} pairs={pairs} stop={fields === null || fields.stop === annotations.fields.stop ? undefined : fields.stop} workingStop={workingStop} onLeave={onLeave} />
          <ExcursionsLater id={trade.id} onLeave={onLeave} />
          <ChartLater id={trade.id} stop={fields === null ? annotations.fields.stop : fields.stop} form={form} />
        </>
      }
    >
      {trade.warnings.length > 0 && (
        <Notice tone="warn">
          <WarningWords shown={trade} />
        </Notice>
      )}
      <TradeFacts trade={{ ...trade, platform: pairs[0]?.platform ?? '' }} />
      {(annotations.others > 0 || annotations.mixedStops) && (
        <Notice>
          {annotations.others > 0 && <p>{t('trade-others', { count: annotations.others })}</p>}
          {annotations.mixedStops && <p>{t('trade-stops')}</p>}
        </Notice>
      )}
    </EditDialog>
  )
}
