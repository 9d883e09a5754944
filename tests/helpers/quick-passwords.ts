import type { HashCost } from '#backend/identity/secret-hash.ts'

/** Passwords that are quick to check, for tests that are not about guessing: the standard cost is a third of a second for each sign-up and sign-in. */
export const quickPasswords: HashCost = { N: 2 ** 10, r: 8, p: 1 }
