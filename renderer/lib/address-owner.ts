import type { SignedInUser } from '#shared/api/session.ts'

// React Router keeps its own fields in the state of a history entry and leaves others alone; the first entry has no key.
type HistoryEntry = { readonly key?: unknown; readonly shownTo?: unknown } | null
const isAt = (entry: HistoryEntry, key: string): boolean => (entry?.key ?? 'default') === key

let shownTo: string | null = null

/** A user's mark in the state of history entries; a removed demo profile and its next one have the same id. */
export const markOf = ({ uid, metadata }: SignedInUser): string => `${uid} ${metadata.creationTime}`

/** Sets the user whom the page is shown to; null if no one is signed in. */
export const showAddressesTo = (user: SignedInUser | null): void => {
  shownTo = user === null ? null : markOf(user)
}

/** The mark of the user whom the address at the router's `key` was shown to, from the state of its history entry, which survives a reload and going Back; null if it was shown to no one. */
export const addressOwner = (key: string): string | null => {
  const entry = window.history.state as HistoryEntry
  return isAt(entry, key) && typeof entry?.shownTo === 'string' ? entry.shownTo : null
}

/** Marks the address at the router's `key` with the current user, unless it is already marked. */
export const ownAddress = (key: string): void => {
  const entry = window.history.state as HistoryEntry
  if (isAt(entry, key) && entry?.shownTo === undefined && shownTo !== null) window.history.replaceState({ ...entry, shownTo }, '')
}
