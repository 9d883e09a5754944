import { randomInt } from 'node:crypto'

// Without I, L, O and U, which are misread.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 5
const groupLength = 4

/** A new code of 100 random bits, `7K2M-…` in five groups of four. */
export const newRecoveryCode = (): string =>
  Array.from({ length: groups }, () => Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('')).join('-')

/** Normalizes a typed code for hashing: no dashes or spaces, upper case, look-alikes replaced. */
export const normalizeRecoveryCode = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
