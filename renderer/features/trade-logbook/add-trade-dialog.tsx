import { drawnFor } from '#renderer/lib/browser-key.ts'
import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useSession, useUserId } from '#renderer/lib/session.ts'
import { unsentPlace } from '#renderer/lib/unsent-place.ts'
import { unsentNewPrefix } from '#renderer/lib/unsent-prefix.ts'
import { Button } from '#renderer/ui/button.tsx'
import { AskButtons } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { FillPairRecord, NewTrade } from '#shared/api/records.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { emptyDraft, newTradeFields, readDraft, type TradeDraft, type TypedTrade } from './draft.ts'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { FactsForm } from './facts-form.tsx'
import { emptyUserDraft, isStopBeyond, readUserDraft } from './user-fields.ts'

type Props = {
  /** The draft that was left in it. */
  readonly left: TradeDraft | null
  /** Called when the entry is discarded, with what was entered; null if nothing was. */
  readonly onClose: (left: TradeDraft | null) => void
  /** Called if the dialog closes without Add or Cancel, for example by Escape or the browser's Back: the entry is kept. */
  readonly onLeft: () => void
  readonly onAdd: (trade: NewTrade, shown: FillPairRecord) => void
}

/** Enters a new trade. */
export const AddTradeDialog = ({ left, onClose, onLeft, onAdd }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const userId = useUserId()
  const [empty] = useState((): TypedTrade => ({ facts: emptyDraft(new Date().toISOString(), zone), own: emptyUserDraft }))
  const formOf = (given: TradeDraft | null): TypedTrade => ({ facts: given?.facts ?? empty.facts, own: given?.own ?? empty.own })
  // Null if nothing was restored. A discarded draft returns only by undo.
  const [restored, setRestored] = useState(() => (left === null ? keptNewTrade(userId) : null))
  const { watch, setValue, getValues, reset, handleSubmit, formState } = useForm({ resolver: resolverOf(newTradeFields(zone, userId)), shouldFocusError: false, defaultValues: formOf(left ?? restored) })
  const { facts, own } = watch()
  const read = readDraft(facts, zone)
  const { fields } = readUserDraft(own)
  const isChanged = JSON.stringify({ facts, own }) !== JSON.stringify(empty)
  const isOver = useRef(false)
  const end = (): void => {
    isOver.current = true
    keepNewTrade(userId, null)
  }
  const cancel = (): void => {
    end()
    onClose(isChanged ? { facts, own } : null)
  }
  const fill = (given: TradeDraft | null): void => {
    setRestored(given)
    reset(formOf(given), { keepIsSubmitted: true })
  }
  useEffect(() => {
    if (!isOver.current) keepNewTrade(userId, isChanged ? { facts, own } : null)
  }, [userId, facts, own, isChanged])
  const takeOver = useEffectEvent((found: TradeDraft): boolean => {
    if (isOver.current || isChanged) return false
    fill(found)
    return true
  })
  const leftBehind = useEffectEvent(() => {
    if (!isOver.current && isChanged) onLeft()
  })
  useEffect(() => {
    let isThere = true
    newTradeKeptElsewhere(userId, (found) => isThere && takeOver(found))
    return () => {
      isThere = false
      leftBehind()
    }
  }, [userId])

  const save = handleSubmit(({ sent, shown }) => {
    // A second Enter or click before the dialog closes would add the trade twice.
    if (isOver.current) return
    end()
    onAdd(sent, shown)
    onClose(null)
  })
  return (
    <TradeDialogFrame
      title={t('add-title')}
      text={t('add-text')}
      symbol={facts.symbol}
      draft={own}
      // A picture that arrives late must not undo what was typed meanwhile.
      onChange={(change) => { setValue('own', { ...getValues('own'), ...change }) }}
      doubted={read.trade !== null && isStopBeyond(fields?.stop ?? null, { side: read.trade.side ?? facts.side, entryPrice: read.trade.entryPrice }) ? facts.side : null}
      focusNotes={false}
      keptOpen={isChanged}
      onSubmit={() => void save()}
      // Escape keeps the draft, as Back does.
      onClose={() => { onClose(null) }}
      footer={(formId, busy) => <AskButtons cancel={t('cancel')} onCancel={cancel} confirm={t('add')} type="submit" form={formId} busy={busy} />}
    >
      {restored !== null && isChanged && (
        <Notice
          action={
            <Button variant="outline" size="sm" onClick={() => { fill(null) }}>
              {t('new-start-empty')}
            </Button>
          }
        >
          {t('new-kept')}
        </Notice>
      )}
      <FactsForm draft={facts} read={read} checked={formState.isSubmitted} onChange={(next) => { setValue('facts', next) }} />
    </TradeDialogFrame>
  )
}

type SavedDraft = { readonly userId: string; readonly left: TradeDraft }

const place = unsentPlace<SavedDraft>(unsentNewPrefix)
let kept: readonly SavedDraft[] = []

forgetForOthers(({ userId, replaced }) => {
  if (!replaced) return
  kept = kept.filter((one) => one.userId !== userId)
  place.keep(kept)
})

/** Keeps the draft of a new trade until it is added or discarded, also across reloads; null for none. */
export const keepNewTrade = (userId: string, left: TradeDraft | null): void => {
  if (drawnFor() !== userId) return
  kept = [...kept.filter((one) => one.userId !== userId), ...(left === null ? [] : [{ userId, left }])]
  place.keep(kept)
}

/** What this page keeps of a user's new trade. */
export const keptNewTrade = (userId: string): TradeDraft | null => kept.find((one) => one.userId === userId)?.left ?? null

/** Hands over what a page that is gone kept of a user's new trade, where `take` has room for it. */
export const newTradeKeptElsewhere = (userId: string, take: (left: TradeDraft) => boolean): void => {
  place.keptElsewhere((one) => one.userId === userId && take(one.left))
}
