import type { RequestHandler } from 'express'
import type { Admission } from '#backend/http/mount.ts'
import { err, ok } from '#shared/base/result.ts'
import type { CloudCaller } from '../calls/cloud-calls.ts'
import { deleteCloudAccount } from '#shared/api/cloud.ts'
import type { Accounts } from '../store/accounts.ts'
import type { Bearer } from '../identity/bearer.ts'
import { callerOf, noteCaller } from './caller.ts'
import type { Limits } from './limits.ts'

/**
 * Identifies the user of a call's token, and counts the call: for a user by user, for a stranger by address. A deleted
 * account's token is rejected with that reason; only the deletion may be requested again, because its answer may have
 * been lost.
 */
export const identify =
  (bearer: Bearer, accounts: Pick<Accounts, 'isDeleted'>, limits: Limits): RequestHandler =>
  async (request, response, next) => {
    const named = await bearer(request.headers.authorization)
    const deleted = named.ok && request.path !== deleteCloudAccount.path && (await accounts.isDeleted(named.value.userId))
    const caller = deleted ? err('account-gone' as const) : named
    noteCaller(response, caller)
    if (caller.ok) return limits.users(request, response, next)
    response.set('WWW-Authenticate', 'Bearer')
    limits.strangers(request, response, next)
  }

/** Requires an identified caller. */
export const admission: Admission<CloudCaller, CloudCaller> = {
  anyone: (_request, response) => {
    const caller = callerOf(response)
    return Promise.resolve(caller.ok ? caller : err({ code: caller.error }))
  },
  user: (caller) => Promise.resolve(ok({ userId: caller.userId, user: caller })),
}
