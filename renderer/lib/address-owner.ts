// React Router keeps its own fields in the state of a history entry and leaves others alone; the first entry has no key.
type Entry = { readonly key?: unknown; readonly shownTo?: unknown } | null
const isAt = (entry: Entry, key: string): boolean => (entry?.key ?? 'default') === key

/** The user to whom the address at the router's `key` was shown, by the state of its history entry, which outlives a reload and going Back; null where it was shown to nobody. */
export const addressOwner = (key: string): string | null => {
  const entry = window.history.state as Entry
  return isAt(entry, key) && typeof entry?.shownTo === 'string' ? entry.shownTo : null
}

/** Notes to whom the address at the router's `key` is shown, unless it was shown to somebody before. */
export const ownAddress = (key: string, userId: string): void => {
  const entry = window.history.state as Entry
  if (isAt(entry, key) && entry?.shownTo === undefined) window.history.replaceState({ ...entry, shownTo: userId }, '')
}
