/** Each page stores its unsent trade changes under its own name with this prefix, and holds a lock of that name while it lives, so that others see what no page will send. */
export const unsentPrefix = 'fillbook-unsent:'
/** The same for notes of days. */
export const unsentDaysPrefix = 'fillbook-unsent-days:'
/** The same for a trade entered by hand that was not added. */
export const unsentNewPrefix = 'fillbook-unsent-new:'

/** Whether any page stored something under such a name. */
export const isKeptUnder = (prefix: string): boolean => Object.keys(localStorage).some((name) => name.startsWith(prefix))

/** Deletes what all pages stored of a deleted user. */
export const dropUnsentOf = (userId: string): void => {
  const prefixes = [unsentPrefix, unsentDaysPrefix, unsentNewPrefix]
  for (const name of Object.keys(localStorage).filter((one) => prefixes.some((prefix) => one.startsWith(prefix)))) {
    const kept = unsentIn(name).filter((unsent) => unsent.userId !== userId)
    if (kept.length === 0) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(kept))
  }
}

type OfUser = { readonly userId: string }
const isOfUser = (value: unknown): value is OfUser => typeof value === 'object' && value !== null && 'userId' in value && typeof value.userId === 'string'

/** What a page stored under a name, without invalid entries. */
export const unsentIn = (name: string): readonly OfUser[] => {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter(isOfUser) : []
  } catch {
    return []
  }
}
