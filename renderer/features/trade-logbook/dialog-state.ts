import { forgetForOthers } from '#renderer/lib/of-user.ts'
import type { FillPairRecord, ListedTrade } from '#shared/api/records.ts'
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import type { TradeDraft } from './draft.ts'

/** The subject of a dialog: a fill pair or a trade entered by hand, a trade with all its pairs, or a new trade. */
export type Opened = { readonly of: 'pair'; readonly pair: FillPairRecord } | { readonly of: 'trade'; readonly trade: ListedTrade } | { readonly of: 'new' }

/** A dialog, with the draft of a new trade that was left in it. */
export type TradeDialogState = { readonly opened: Opened; readonly left: TradeDraft | null }

const useBack = create<{ readonly back: TradeDialogState | null }>(() => ({ back: null }))

forgetForOthers(() => { useBack.setState({ back: null }) })

/** Asks the logbook to open a dialog that was left, now or when it is next shown. */
export const reopenDialog = (back: TradeDialogState): void => {
  useBack.setState({ back })
}

/** Handles each `reopenDialog` once. */
export const useReopened = (answer: (back: TradeDialogState) => void): void => {
  const { back } = useBack()
  const latest = useEffectEvent(answer)
  useEffect(() => {
    if (back === null) return
    useBack.setState({ back: null })
    latest(back)
  }, [back])
}
