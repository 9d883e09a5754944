type Forget = (userId: string) => void

const forgets = new Set<Forget>()
let shownTo: string | null = null

/** Calls `forget` when the page is shown to another user than before: a store that outlives a screen must not show one user what another left in it. */
export const forgetForOthers = (forget: Forget): void => {
  forgets.add(forget)
  // A store that comes with a later screen may be remembered from a user of before.
  if (shownTo !== null) forget(shownTo)
}

/** Notes to whom the page is shown. Whoever signs in again finds what they left. */
export const showTo = (userId: string): void => {
  if (shownTo === userId) return
  shownTo = userId
  for (const forget of forgets) forget(userId)
}
