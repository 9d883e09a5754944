import type { SignedInUser } from '#shared/api/session.ts'

// React Router keeps its own fields in the state of a history entry and leaves others alone; the first entry has no key.
type Entry = { readonly key?: unknown; readonly shownTo?: unknown } | null
const isAt = (entry: Entry, key: string): boolean => (entry?.key ?? 'default') === key

let shownTo: string | null = null

/** The mark of a user in the state of history entries; a demo profile that was removed and its next one have the same id. */
export const markOf = ({ uid, metadata }: SignedInUser): string => `${uid} ${metadata.creationTime}`

/** Notes to whom the page is shown; null where nobody is signed in. */
export const showAddressesTo = (user: SignedInUser | null): void => {
  shownTo = user === null ? null : markOf(user)
}

/** The mark of the user to whom the address at the router's `key` was shown, by the state of its history entry, which outlives a reload and going Back; null where it was shown to nobody. */
export const addressOwner = (key: string): string | null => {
  const entry = window.history.state as Entry
  return isAt(entry, key) && typeof entry?.shownTo === 'string' ? entry.shownTo : null
}

/** Notes to whom the address at the router's `key` is shown, unless it was shown to somebody before. */
export const ownAddress = (key: string): void => {
  const entry = window.history.state as Entry
  if (isAt(entry, key) && entry?.shownTo === undefined && shownTo !== null) window.history.replaceState({ ...entry, shownTo }, '')
}
