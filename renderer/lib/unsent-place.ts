import { profileOf } from './of-user.ts'
import { unsentIn } from './unsent-prefix.ts'

type OfUser = { readonly userId: string }

/** The profile that wrote it; none by an older program. */
type OfProfile = { readonly profile?: string | null }

/** Whether it was written in a profile that is gone, and whose id another has now. */
const isOfRemoved = ({ userId, profile = null }: OfUser & OfProfile): boolean => {
  const now = profileOf(userId)
  return profile !== null && now !== null && profile !== now
}

const pauses = [0, 1_000, 5_000, 30_000]

/** Stores a page's unsent changes beyond its lifetime, under names that begin with `prefix`. */
export const unsentPlace = <Kept extends OfUser>(prefix: string) => {
  const ownName = `${prefix}${crypto.randomUUID()}`
  let isHeld = false
  const holdLock = (): void => {
    if (isHeld) return
    isHeld = true
    void navigator.locks.request(ownName, () => new Promise(() => undefined))
  }
  return {
    /** Stores all unsent changes, replacing what was stored before. */
    keep: (unsent: readonly Kept[]): void => {
      if (unsent.length === 0) return localStorage.removeItem(ownName)
      holdLock()
      try {
        localStorage.setItem(ownName, JSON.stringify(unsent.map((one) => ({ ...one, profile: profileOf(one.userId) }))))
      } catch {
        // The browser's storage is full: the page itself still has it, and sends it.
      }
    },
    /** Passes on what closed pages left; what `take` refuses stays for later. A page that is just closing may still hold its lock, so it checks again for a while. */
    keptElsewhere: (take: (unsent: Kept) => boolean): void => {
      const look = async (): Promise<void> => {
        const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix) && name !== ownName)
        for (const name of names) {
          await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
            if (lock === null) return
            const refused = (unsentIn(name) as readonly (Kept & OfProfile)[]).filter((unsent) => !isOfRemoved(unsent) && !take(unsent))
            if (refused.length === 0) localStorage.removeItem(name)
            else localStorage.setItem(name, JSON.stringify(refused))
          })
        }
      }
      for (const ms of pauses) setTimeout(() => void look(), ms)
    },
  }
}
