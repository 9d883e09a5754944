import { unsentIn, unsentPrefix } from '#renderer/lib/unsent-prefix.ts'
import type { Editing } from './trade-editing.ts'

/** The form of a trade that is not saved whole. */
export type Unsent = { readonly userId: string; readonly id: string; readonly editing: Editing }

const ownName = `${unsentPrefix}${crypto.randomUUID()}`
const pauses = [0, 1_000, 5_000, 30_000]

let isHeld = false
const holdLock = (): void => {
  if (isHeld) return
  isHeld = true
  void navigator.locks.request(ownName, () => new Promise(() => undefined))
}

/** Keeps what is not sent beyond this page. */
export const keepUnsent = (unsent: readonly Unsent[]): void => {
  if (unsent.length === 0) return localStorage.removeItem(ownName)
  holdLock()
  try {
    localStorage.setItem(ownName, JSON.stringify(unsent))
  } catch {
    // The place of this browser is full: the page itself still has it, and sends it.
  }
}

/** Hands over what pages that are gone left; what `take` refuses stays for later. A page that is just being left may still be there, so it looks again for a while. */
export const keptElsewhere = (take: (unsent: Unsent) => boolean): void => {
  const look = async (): Promise<void> => {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(unsentPrefix) && name !== ownName)
    for (const name of names) {
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return
        const refused = (unsentIn(name) as readonly Unsent[]).filter((unsent) => !take(unsent))
        if (refused.length === 0) localStorage.removeItem(name)
        else localStorage.setItem(name, JSON.stringify(refused))
      })
    }
  }
  for (const ms of pauses) setTimeout(() => void look(), ms)
}
