import { useSession } from '#renderer/lib/session.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { FillPairRecord } from '#shared/api/records.ts'
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
  readonly pair: FillPairRecord
  readonly onClose: (leaving: Leaving) => void
  /** `changed`: whether something was changed in the form before. */
  readonly onRemove: (pair: FillPairRecord, changed: boolean) => void
  readonly neighbors: Neighbors
}

/** One fill pair: the broker's figures are fixed, the user's own fields can be edited; in a trade entered by hand everything can. */
export const PairDialog = ({ pair: opened, onClose, onRemove, neighbors }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const form = useTradeForm(opened.id, { pairs: [opened], whole: false, zone })
  const workingStop = useWorkingStop(opened.id)
  const { draft, pairs } = form.editing
  const pair = pairs[0] ?? opened
  const read = draft.facts === null ? null : readDraft(draft.facts, zone)
  const shown = read !== null && read.trade !== null && read.preview !== null ? { ...pair, ...shownOf(read.trade, read.preview, zone) } : pair
  const fields = readUserDraft(draft.own).fields
  const stop = fields === null ? pair.stop : fields.stop
  const onLeave = (event: MouseEvent): void => {
    if (form.keep()) onClose('unchanged')
    else event.preventDefault()
  }
  return (
    <EditDialog
      title={t('trade-title', { symbol: pair.symbol, side: t(`side.${pair.side}`) })}
      text={draft.facts === null ? t('synced-text') : t('manual-text')}
      form={form}
      neighbors={neighbors}
      focusNotes={draft.facts === null}
      workingStop={workingStop}
      onClose={onClose}
      onRemove={() => { onRemove(pair, form.isChanged()) }}
      below={
        <>
          <SourceFacts pair={shown} stop={stop} workingStop={workingStop} onLeave={onLeave} />
          <ExcursionsLater id={pair.id} onLeave={onLeave} />
          <ChartLater id={pair.id} stop={stop} form={form} />
        </>
      }
    >
      {pair.warnings.length > 0 && (
        <Notice tone="warn">
          <WarningWords shown={pair} />
        </Notice>
      )}
      {read === null || draft.facts === null ? (
        <TradeFacts trade={pair} />
      ) : (
        <FactsForm draft={draft.facts} read={read} checked onChange={(facts) => { form.change((now) => ({ ...now, facts })) }} />
      )}
    </EditDialog>
  )
}
