import { useSession } from '#renderer/lib/session.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Trade } from '#shared/api/records.ts'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ChartLater } from './chart/chart-later.tsx'
import { readDraft, shownOf } from './draft.ts'
import { EditDialog, type Leaving } from './edit-dialog.tsx'
import { ExcursionsLater } from './excursions-later.tsx'
import { SourceFacts } from './source-facts.tsx'
import { TradeFacts } from './trade-facts.tsx'
import { FactsForm } from './facts-form.tsx'
import type { Neighbors } from './trade-walk.tsx'
import { readUserDraft } from './user-fields.ts'
import { useTradeForm } from './trade-saving.ts'
import { useWorkingStop } from './use-working-stop.ts'
import { WarningWords } from './warning-words.tsx'

type Props = {
  readonly trade: Trade
  readonly onClose: (leaving: Leaving) => void
  /** `changed`: whether something was changed in the form before. */
  readonly onRemove: (trade: Trade, changed: boolean) => void
  readonly neighbors: Neighbors
}

/** One trade: the broker's figures are fixed, the user's own fields can be edited; in a manual trade everything can. */
export const TradeDialog = ({ trade: opened, onClose, onRemove, neighbors }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const form = useTradeForm(opened.id, { pairs: [opened], whole: false, zone })
  const workingStop = useWorkingStop(opened.id)
  const { draft, pairs } = form.editing
  const trade = pairs[0] ?? opened
  const read = draft.facts === null ? null : readDraft(draft.facts, zone)
  const shown = read !== null && read.trade !== null && read.preview !== null ? { ...trade, ...shownOf(read.trade, read.preview, zone) } : trade
  const fields = readUserDraft(draft.own).fields
  const stop = fields === null ? trade.stop : fields.stop
  const onLeave = (event: MouseEvent): void => {
    if (form.keep()) onClose('unchanged')
    else event.preventDefault()
  }
  return (
    <EditDialog
      title={t('trade-title', { symbol: trade.symbol, side: t(`side.${trade.side}`) })}
      text={draft.facts === null ? t('synced-text') : t('manual-text')}
      form={form}
      neighbors={neighbors}
      focusNotes={draft.facts === null}
      workingStop={workingStop}
      onClose={onClose}
      onRemove={() => { onRemove(trade, form.isChanged()) }}
      below={
        <>
          <SourceFacts trade={shown} stop={stop} workingStop={workingStop} onLeave={onLeave} />
          <ExcursionsLater id={trade.id} onLeave={onLeave} />
          <ChartLater id={trade.id} stop={stop} form={form} />
        </>
      }
    >
      {trade.warnings.length > 0 && (
        <Notice tone="warn">
          <WarningWords shown={trade} />
        </Notice>
      )}
      {read === null || draft.facts === null ? (
        <TradeFacts trade={trade} />
      ) : (
        <FactsForm draft={draft.facts} read={read} checked onChange={(facts) => { form.change((now) => ({ ...now, facts })) }} />
      )}
    </EditDialog>
  )
}
