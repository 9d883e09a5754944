import { minimumPasswordLength, sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { passwordNeeds } from './password-needs.ts'

const { email } = sessionRoutes.signIn.body.shape
const { link } = sessionRoutes.signInByLink.body.shape

/** What is wrong with a field before anything is sent; the words stand in the locale file. */
export type FieldFault = 'email-invalid' | 'password-missing' | 'password-short' | 'password-unfit' | 'code-missing' | 'link-invalid'

/** Whether a text is an e-mail address. */
export const emailFault = (text: string): FieldFault | null => (email.safeParse(text).success ? null : 'email-invalid')

/** Whether a local profile's password that is to be set is long enough. */
export const newPasswordFault = (text: string): FieldFault | null => (text.length < minimumPasswordLength ? 'password-short' : null)

/** Whether an account's password that is to be set has everything that the provider's policy asks for. */
export const policyFault =
  (policy: PasswordPolicy) =>
  (text: string): FieldFault | null =>
    passwordNeeds(policy, text).every(({ met }) => met) ? null : 'password-unfit'

/** Whether a password was given. */
export const passwordFault = (text: string): FieldFault | null => (text === '' ? 'password-missing' : null)

/** Whether a recovery code was given. */
export const codeFault = (text: string): FieldFault | null => (text.trim() === '' ? 'code-missing' : null)

/** Whether a text can be a mailed link; whether it is a good one, the provider says. */
export const linkFault = (text: string): FieldFault | null => (link.safeParse(text.trim()).success ? null : 'link-invalid')
