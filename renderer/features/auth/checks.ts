import { minimumPasswordLength, sessionRoutes } from '#shared/api/session.ts'

const { email } = sessionRoutes.signIn.body.shape

/** What is wrong with a field before anything is sent; the words stand in the locale file. */
export type FieldFault = 'email-invalid' | 'password-missing' | 'password-short' | 'code-missing'

/** Whether a text is an e-mail address. */
export const emailFault = (text: string): FieldFault | null => (email.safeParse(text).success ? null : 'email-invalid')

/** Whether a password that is to be set is long enough. */
export const newPasswordFault = (text: string): FieldFault | null => (text.length < minimumPasswordLength ? 'password-short' : null)

/** Whether a password was given. */
export const passwordFault = (text: string): FieldFault | null => (text === '' ? 'password-missing' : null)

/** Whether a recovery code was given. */
export const codeFault = (text: string): FieldFault | null => (text.trim() === '' ? 'code-missing' : null)
