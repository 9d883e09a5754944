import { minimumPasswordLength, type PasswordPolicy } from '#shared/api/session.ts'

/** The requirements of a new password if the provider names none. */
export const plainPolicy: PasswordPolicy = { minLength: minimumPasswordLength, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false }

/** One requirement of a new password, and whether a text meets it; `count` is its number of characters. */
export type PasswordNeed = { readonly need: 'min-length' | 'max-length' | 'lowercase' | 'uppercase' | 'digit' | 'symbol'; readonly met: boolean; readonly count?: number }

// The characters that Firebase counts as symbols.
const symbols = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`]/

/** All requirements of a policy, in display order, each checked against `text`. */
export const passwordNeeds = (policy: PasswordPolicy, text: string): readonly PasswordNeed[] => {
  const { minLength, maxLength, lowercase, uppercase, digit, symbol } = policy
  const needs: PasswordNeed[] = [{ need: 'min-length', met: text.length >= minLength, count: minLength }]
  if (maxLength !== null) needs.push({ need: 'max-length', met: text.length > 0 && text.length <= maxLength, count: maxLength })
  if (lowercase) needs.push({ need: 'lowercase', met: /[a-z]/.test(text) })
  if (uppercase) needs.push({ need: 'uppercase', met: /[A-Z]/.test(text) })
  if (digit) needs.push({ need: 'digit', met: /[0-9]/.test(text) })
  if (symbol) needs.push({ need: 'symbol', met: symbols.test(text) })
  return needs
}
