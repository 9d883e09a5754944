import type { SignedInUser } from '#shared/api/session.ts'
import { markOf } from './address-owner.ts'

/** Called with the new user of the page; `first` if it had none before, `replaced` if the profile known by this id is gone and another one has the id. */
type Forget = (now: { readonly userId: string; readonly first: boolean; readonly replaced: boolean }) => void

const forgets = new Set<Forget>()
/** The profile that each user's id named when it was last shown. */
const profiles = new Map<string, string>()
let shownTo: { readonly userId: string; readonly mark: string } | null = null

/** Calls `forget` when the page's user changes: a store that outlives a screen must not show one user another's data. */
export const forgetForOthers = (forget: Forget): void => {
  forgets.add(forget)
  // A store that loads with a later screen may have saved data of an earlier user.
  if (shownTo !== null) forget({ userId: shownTo.userId, first: true, replaced: false })
}

/** The profile that an id names on this page: a removed demo profile and the next one have the same id. Null for users that it was not shown to. */
export const profileOf = (userId: string): string | null => profiles.get(userId) ?? null

/** Notes which user sees the page, and returns whether it is another than before. A user who signs in again finds their drafts. */
export const showTo = (user: SignedInUser): boolean => {
  const now = { userId: user.uid, mark: markOf(user) }
  if (shownTo?.mark === now.mark) return false
  const first = shownTo === null
  shownTo = now
  // Only a demo profile is replaced under the same id; a user who returns after the data was deleted finds their drafts.
  const [known, profile] = [profiles.get(user.uid), user.isAnonymous ? now.mark : user.uid]
  profiles.set(user.uid, profile)
  for (const forget of forgets) forget({ userId: now.userId, first, replaced: known !== undefined && known !== profile })
  return true
}
