import { minimumPasswordLength, sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { z } from 'zod'
import { passwordNeeds } from './password-needs.ts'

/** A field's error before anything is sent; the words are in the locale file. */
export type FieldFault = 'email-invalid' | 'password-missing' | 'password-short' | 'password-unfit' | 'code-missing' | 'link-invalid'

/** An email address, validated like on the server. */
export const { email } = sessionRoutes.mailSignInLink.body.shape

/** A new password of a local profile. */
export const profilePassword = z.string().min(minimumPasswordLength)

/** A new password of an account, with all requirements of the provider's policy. */
export const accountPassword = (policy: PasswordPolicy) => z.string().refine((text) => passwordNeeds(policy, text).every(({ met }) => met))

/** A text that may contain an emailed link; the provider decides whether the link is valid. */
export const pastedLink = z.string().trim().pipe(sessionRoutes.signInByLink.body.shape.link)
