import { minimumPasswordLength, sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { z } from 'zod'
import { passwordNeeds } from './password-needs.ts'

/** What can be wrong with a field before anything is sent; the words stand in the locale file. */
export type FieldFault = 'email-invalid' | 'password-missing' | 'password-short' | 'password-unfit' | 'code-missing' | 'link-invalid'

/** An e-mail address, judged as the program will judge it. */
export const { email } = sessionRoutes.mailSignInLink.body.shape

/** A local profile's password that is to be set. */
export const profilePassword = z.string().min(minimumPasswordLength)

/** An account's password that is to be set, with everything that the provider's policy asks for. */
export const accountPassword = (policy: PasswordPolicy) => z.string().refine((text) => passwordNeeds(policy, text).every(({ met }) => met))

/** A text that can be a mailed link, whatever stands around it; whether it is a good one, the provider says. */
export const pastedLink = z.string().trim().pipe(sessionRoutes.signInByLink.body.shape.link)
