import { drawnFor } from '#renderer/lib/browser-key.ts'
import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { unsentPlace } from '#renderer/lib/unsent-place.ts'
import { unsentNewPrefix } from '#renderer/lib/unsent-prefix.ts'
import type { LeftDraft } from './left-draft.ts'

type Kept = { readonly userId: string; readonly left: LeftDraft }

const place = unsentPlace<Kept>(unsentNewPrefix)
let kept: readonly Kept[] = []

forgetForOthers(({ userId, replaced }) => {
  if (!replaced) return
  kept = kept.filter((one) => one.userId !== userId)
  place.keep(kept)
})

/** Keeps what is entered of a new trade until it is added or thrown away, also for the next page; null for nothing. */
export const keepNewTrade = (userId: string, left: LeftDraft | null): void => {
  if (drawnFor() !== userId) return
  kept = [...kept.filter((one) => one.userId !== userId), ...(left === null ? [] : [{ userId, left }])]
  place.keep(kept)
}

/** What this page keeps of a user's new trade. */
export const keptNewTrade = (userId: string): LeftDraft | null => kept.find((one) => one.userId === userId)?.left ?? null

/** Hands over what a page that is gone kept of a user's new trade, where `take` has room for it. */
export const newTradeKeptElsewhere = (userId: string, take: (left: LeftDraft) => boolean): void => {
  place.keptElsewhere((one) => one.userId === userId && take(one.left))
}
