/** Each page keeps what it has not sent of trades under a name of its own that begins so, and holds a lock of that name for as long as it lives: so others see what nobody sends any more. */
export const unsentPrefix = 'fillbook-unsent:'
/** The same for notes of days. */
export const unsentDaysPrefix = 'fillbook-unsent-days:'
/** The same for a trade by hand that is not added. */
export const unsentNewPrefix = 'fillbook-unsent-new:'

/** Whether any page keeps something under such a name. */
export const isKeptUnder = (prefix: string): boolean => Object.keys(localStorage).some((name) => name.startsWith(prefix))

/** Deletes what all pages kept of a user who is deleted. */
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

/** What a page kept under a name; an entry that is no such is left out. */
export const unsentIn = (name: string): readonly OfUser[] => {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '[]') as unknown
    return Array.isArray(kept) ? kept.filter(isOfUser) : []
  } catch {
    return []
  }
}
