import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { JournalCalls } from '../journal/journal.ts'
import type { Profile } from '../db/rows.ts'
import { createKeyedMutex } from '../mutex.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { hashSecret, isSecret, recoveryCodeCost, unmatchableHash } from './secret-hash.ts'

/** The keychain entry of an unconfirmed code. */
export const unsavedCodeName = (userId: string): string => `recovery-code:${userId}`

const nobody = 'nobody'

/**
 * The recovery codes of local profiles. The journal has the hash of the code in force, null until a profile's first
 * code is confirmed. A code that was shown but not confirmed as saved waits in the keychain: it also works and can be
 * shown again, and the code in force works until the new one is confirmed. So a crash in between always leaves a
 * working code.
 */
export const createRecoveryCodes = ({ journal, secrets }: { readonly journal: Pick<JournalCalls, 'read' | 'write'>; readonly secrets: Pick<Secrets, 'get' | 'set' | 'remove'> }) => {
  const oneAtATime = createKeyedMutex()
  // The session's answer needs this at each page start, and a keychain can be slow.
  const unsaved = new Map<string, boolean>()
  const unknownUsersCode = unmatchableHash(recoveryCodeCost)

  const waiting = (userId: string): Promise<string | null> => secrets.get(unsavedCodeName(userId))
  const putIntoForce = async (userId: string, code: string): Promise<void> => {
    await journal.write.updateProfile({ id: userId, recoveryHash: await hashSecret(normalizeRecoveryCode(code), recoveryCodeCost) })
  }

  return {
    /** Whether a typed code is one of the profile's; costs the same for an unknown profile. */
    isRight: async (profile: Profile | null, typed: string): Promise<boolean> => {
      const inForce = await isSecret(normalizeRecoveryCode(typed), profile?.recoveryHash ?? unknownUsersCode)
      const waits = await waiting(profile?.id ?? nobody)
      return profile !== null && (inForce || isSame(waits, typed))
    },
    /**
     * The code to save next: the unconfirmed one, otherwise a new one. With `used`, the code just used to recover: if
     * that is the unconfirmed one, it comes into force and another is made.
     */
    next: (userId: string, used?: string): Promise<string> => oneAtATime(userId, async () => {
      const known = await waiting(userId)
      // Shown again, so that a code that was written down and not yet confirmed keeps working.
      if (known !== null && (used === undefined || !isSame(known, used))) return known
      if (known !== null) await putIntoForce(userId, known)
      const code = newRecoveryCode()
      await secrets.set(unsavedCodeName(userId), code)
      unsaved.set(userId, true)
      return code
    }),
    /** Puts the unconfirmed code into force, if `typed` is that code; true also if it is already in force. */
    confirm: (profile: Profile | null, typed: string): Promise<boolean> => oneAtATime(profile?.id ?? nobody, async () => {
      const known = await waiting(profile?.id ?? nobody)
      if (profile === null) return false
      // Another confirmation may have put it into force since the profile was read.
      if (known === null) return isSecret(normalizeRecoveryCode(typed), (await journal.read.profile({ id: profile.id }))?.recoveryHash ?? unknownUsersCode)
      if (!isSame(known, typed)) return false
      await putIntoForce(profile.id, known)
      await secrets.remove(unsavedCodeName(profile.id))
      unsaved.set(profile.id, false)
      return true
    }),
    /** Whether the profile has a password and its latest code was never confirmed. */
    isUnsaved: async ({ id, passwordHash, recoveryHash }: Profile): Promise<boolean> => {
      if (passwordHash === null) return false
      if (recoveryHash === null) return true
      const known = unsaved.get(id)
      if (known !== undefined) return known
      const waits = (await waiting(id)) !== null
      // A code may have been made during the reading.
      if (!unsaved.has(id)) unsaved.set(id, waits)
      return unsaved.get(id) ?? waits
    },
  }
}

const digest = (code: string): Buffer => createHash('sha256').update(normalizeRecoveryCode(code)).digest()

const isSame = (kept: string | null, typed: string): boolean => kept !== null && timingSafeEqual(digest(kept), digest(typed))

// Without I, L, O and U, which are misread.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 5
const groupLength = 4

/** A new code of 100 random bits, `7K2M-…` in five groups of four. */
const newRecoveryCode = (): string =>
  Array.from({ length: groups }, () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('')).join('-')

/** Normalizes a typed code for hashing: no dashes or spaces, upper case, look-alikes replaced. */
const normalizeRecoveryCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
