import type { SignedInUser } from '#shared/api/session.ts'
import { markOf } from './address-owner.ts'

/** Told to whom the page is shown from now on; `first` where it was shown to nobody before. */
type Forget = (now: { readonly userId: string; readonly first: boolean }) => void

const forgets = new Set<Forget>()
let shownTo: { readonly userId: string; readonly mark: string } | null = null

/** Calls `forget` when the page is shown to another user than before: a store that outlives a screen must not show one user what another left in it. */
export const forgetForOthers = (forget: Forget): void => {
  forgets.add(forget)
  // A store that comes with a later screen may be remembered from a user of before.
  if (shownTo !== null) forget({ userId: shownTo.userId, first: true })
}

/** Notes to whom the page is shown. Whoever signs in again finds what they left. */
export const showTo = (user: SignedInUser): void => {
  const now = { userId: user.uid, mark: markOf(user) }
  if (shownTo?.mark === now.mark) return
  const first = shownTo === null
  shownTo = now
  for (const forget of forgets) forget({ userId: now.userId, first })
}
