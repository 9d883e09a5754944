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

/** Keeps what is not sent of a page beyond it, under names that begin with `prefix`. */
export const unsentPlace = <Kept extends OfUser>(prefix: string) => {
  const ownName = `${prefix}${crypto.randomUUID()}`
  let isHeld = false
  const holdLock = (): void => {
    if (isHeld) return
    isHeld = true
    void navigator.locks.request(ownName, () => new Promise(() => undefined))
  }
  return {
    /** Keeps all that is not sent now, in the place of what was kept before. */
    keep: (unsent: readonly Kept[]): void => {
      if (unsent.length === 0) return localStorage.removeItem(ownName)
      holdLock()
      try {
        localStorage.setItem(ownName, JSON.stringify(unsent.map((one) => ({ ...one, profile: profileOf(one.userId) }))))
      } catch {
        // The place of this browser is full: the page itself still has it, and sends it.
      }
    },
    /** Hands over what pages that are gone left; what `take` refuses stays for later. A page that is just being left may still be there, so it looks again for a while. */
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
