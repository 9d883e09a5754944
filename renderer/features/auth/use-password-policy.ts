import { apiQuery } from '#renderer/lib/api.ts'
import { sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { useQuery } from '@tanstack/react-query'
import { plainPolicy } from './password-needs.ts'

/** What the provider asks of a new password; the least that is asked anywhere until that is known. */
export const usePasswordPolicy = (): PasswordPolicy => useQuery(apiQuery(sessionRoutes.passwordPolicy)).data ?? plainPolicy
