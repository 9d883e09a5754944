import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import type { CloudFailure } from './cloud/failure.ts'
import { createDevelopmentIdentity } from './cloud/identity.ts'
import type { CloudIdentity } from './cloud/identity.ts'
import type { JournalCalls } from './store/journal.ts'

/** Who the demo profile is in its own cloud. */
const demoEmail = 'demo@example.com'

/** Who each profile is in its cloud; null where there is none for it. The demo profile knows only the demo's cloud, every other profile only the one that is set. */
export const createCloudIdentities = (parts: {
  readonly journal: Pick<JournalCalls, 'read'>
  readonly cloudUrl: string | null
  readonly demoCloud: { readonly url: () => Promise<Result<string, CloudFailure>> } | null
}): ((userId: string) => Promise<CloudIdentity | null>) => {
  const { journal, cloudUrl, demoCloud } = parts
  const known = new Map<string, CloudIdentity>()

  const make = async (userId: string): Promise<CloudIdentity | null> => {
    const profile = await journal.read.profile({ id: userId })
    if (profile === null) return null
    if (profile.demo) return demoCloud === null ? null : createDevelopmentIdentity({ url: demoCloud.url, email: demoEmail })
    return cloudUrl === null || profile.email === null ? null : createDevelopmentIdentity({ url: () => Promise.resolve(ok(cloudUrl)), email: profile.email })
  }

  return async (userId) => {
    const identity = known.get(userId) ?? (await make(userId))
    if (identity !== null) known.set(userId, identity)
    return identity
  }
}
