import { err, ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { unreachable } from '../cloud/failure.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import { createDevelopmentIdentity } from '../cloud/development-identity.ts'
import type { CloudAccess, CloudIdentity } from '../cloud/client.ts'
import type { Identities } from './service.ts'
import type { Refusal } from './firebase/refusal.ts'
import type { JournalCalls } from '../journal/journal.ts'

/** The demo profile's email in the demo cloud. */
const demoEmail = 'demo@example.com'

/** Returns each profile's cloud identity, or null if it has no cloud. The demo profile uses only the demo cloud; every other profile uses only the configured one. */
export const createCloudIdentities = (deps: {
  readonly journal: Pick<JournalCalls, 'read'>
  readonly cloudUrl: string | null
  readonly demoCloud: { readonly url: () => Promise<Result<string, CloudFailure>>; readonly secret: string } | null
  /** The identity provider's tokens; null if the cloud issues its own. */
  readonly tokenOf: Identities['tokenOf']
}): ((userId: string) => Promise<CloudIdentity | null>) => {
  const { journal, cloudUrl, demoCloud, tokenOf } = deps
  const known = new Map<string, CloudIdentity>()

  const make = async (userId: string): Promise<CloudIdentity | null> => {
    const profile = await journal.read.profile({ id: userId })
    if (profile === null) return null
    if (profile.demo) return demoCloud === null ? null : createDevelopmentIdentity({ ...demoCloud, email: demoEmail })
    if (cloudUrl !== null && tokenOf !== null) return { access: (refused) => accessBy(cloudUrl, (fresh) => tokenOf(userId, fresh), refused) }
    return cloudUrl === null || profile.email === null ? null : createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloudUrl)), email: profile.email })
  }

  return async (userId) => {
    const identity = known.get(userId) ?? (await make(userId))
    if (identity !== null) known.set(userId, identity)
    return identity
  }
}

/** Access with the provider's token; refreshes a token that the cloud just refused. */
const accessBy = async (url: string, tokenOf: (fresh: boolean) => Promise<Result<string, Refusal> | null>, refused: string | null): Promise<Result<CloudAccess, CloudFailure>> => {
  const given = await tokenOf(false)
  const token = given?.ok === true && given.value === refused ? await tokenOf(true) : given
  if (token === null) return err({ kind: 'refused', status: 401, code: 'not-signed-in' })
  return token.ok ? ok({ url, token: token.value }) : err(failureOf(token.error))
}

// A provider outage is temporary; a sign-in that the provider ended is not.
const failureOf = (code: Refusal): CloudFailure => {
  if (code === 'network-request-failed') return unreachable('network')
  return code === 'user-disabled' || code === 'user-token-expired' ? { kind: 'refused', status: 401, code } : unreachable('server')
}
