import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Trade } from '#shared/api/records.ts'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { draftOf, readDraft, shownOf } from './draft.ts'
import { holdSame, type LeftDraft } from './left-draft.ts'
import { SourceFacts } from './source-facts.tsx'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { TradeFacts } from './trade-facts.tsx'
import { TradeForm } from './trade-form.tsx'
import { TradeWalk, type Beside } from './trade-walk.tsx'
import { changedFields, userDraftOf, type UserDraft, type UserFields } from './user-fields.ts'
import type { TradeChanges } from './use-trade-changes.ts'
import { WarningWords } from './warning-words.tsx'

type Props = {
  readonly trade: Trade
  /** What stands in it where it was left before. */
  readonly left: LeftDraft | null
  /** Told what was changed and is not saved, null for nothing; so is `onRemove`. */
  readonly onClose: (left: LeftDraft | null) => void
  readonly onSave: TradeChanges['edit']
  readonly onRemove: (trade: Trade, left: LeftDraft | null) => void
  readonly beside: Beside
}

/** One trade: what the broker said stands, the user's own fields can be changed; of a trade entered by hand everything can. */
export const TradeDialog = ({ trade, left, onClose, onSave, onRemove, beside }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const manual = trade.origin === 'manual'
  const [kept] = useState(() => ({ ...draftOf(trade, zone), commission: trade.feeSource === 'entered' ? trade.commission : '' }))
  const [draft, setDraft] = useState(left?.facts ?? kept)
  const read = readDraft(draft, zone)

  /** Whether what was edited could be kept. */
  const keep = (fields: UserFields | null): boolean => {
    if (fields === null) return false
    const ownChanges = changedFields(trade, fields)
    if (!manual) {
      if (Object.keys(ownChanges).length > 0) onSave(trade, ownChanges, ownChanges)
      return true
    }
    if (read.trade === null || read.preview === null) return false
    const updates = { ...changedFields(trade, read.trade), ...ownChanges }
    if (Object.keys(updates).length > 0) onSave(trade, updates, { ...shownOf(read.trade, read.preview, zone), ...ownChanges })
    return true
  }
  const save = (fields: UserFields | null): boolean => {
    const kept = keep(fields)
    if (kept) onClose(null)
    return kept
  }
  const shown = manual && read.trade !== null && read.preview !== null ? { ...trade, ...shownOf(read.trade, read.preview, zone) } : trade
  const leftWith = (own: UserDraft | null): LeftDraft | null => (own === null ? null : { facts: draft, own })
  return (
    <TradeDialogFrame
      title={t('trade-title', { symbol: trade.symbol, side: t(`side.${trade.side}`) })}
      text={manual ? t('manual-text') : t('synced-text')}
      submit={t('save')}
      aside={(own) => (
        <Button variant="ghost" className="mr-auto -ml-3" onClick={() => { onRemove(trade, leftWith(own)) }}>
          <Trash2 aria-hidden />
          {t('remove')}
        </Button>
      )}
      own={userDraftOf(trade)}
      left={left?.own}
      entry={shown}
      walk={(fields) => <TradeWalk beside={beside} onLeave={() => keep(fields)} />}
      changed={!holdSame(draft, kept)}
      focusNotes={!manual}
      onSubmit={save}
      onClose={(own) => { onClose(leftWith(own)) }}
      below={(fields) => <SourceFacts trade={shown} stop={fields === null ? trade.stop : fields.stop} onLeave={() => save(fields)} />}
    >
      {trade.warnings.length > 0 && (
        <Notice tone="warn">
          <WarningWords shown={trade} />
        </Notice>
      )}
      {manual ? <TradeForm draft={draft} read={read} checked onChange={setDraft} /> : <TradeFacts trade={trade} />}
    </TradeDialogFrame>
  )
}
