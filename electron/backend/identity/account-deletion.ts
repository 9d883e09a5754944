import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { createCloudClient } from '../cloud/client.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Events } from '../events.ts'
import type { IdentityPort } from './identity.ts'
import { refuse } from '../refused.ts'
import type { Refused } from '../refused.ts'
import type { Sessions } from './sessions.ts'

/** How a user's account goes. */
export type AccountDeletion = {
  /** Deletes it with all that belongs to it: the copy in the cloud, the user at the provider, and the journal, pictures and tokens here. `leave` signs out the browser that asks, once nothing can fail any more. */
  readonly remove: (userId: string, given: { readonly password: string | undefined; readonly leave: () => Promise<void> }) => Promise<Result<null, Refused>>
  /** Waits for a deletion of this user that is under way, however it ends; false at once where there is none. */
  readonly ended: (userId: string) => Promise<boolean>
}

type Deps = {
  readonly journal: JournalCalls
  readonly identity: Pick<IdentityPort, 'kind' | 'prove' | 'removeUser'>
  /** Who the user is in the cloud; null where there is none. */
  readonly identityOf: (userId: string) => Promise<CloudIdentity | null>
  readonly mirrors: { readonly end: (userId: string) => Promise<void>; readonly resume: (userId: string) => void }
  /** Whether the copier stands armed, or has orders that may still fill. */
  readonly isCopying: (userId: string) => Promise<boolean>
  readonly connections: Pick<Connections, 'forgetAll'>
  readonly backups: { readonly forget: (userId: string, andThen: () => Promise<void>) => Promise<void> }
  readonly pictures: Pick<Pictures, 'forget'>
  readonly sessions: Pick<Sessions, 'endAllOf'>
  readonly events: Pick<Events, 'signedOutEverywhere'>
}

/** Deletion from the far end: what fails leaves everything that is nearer as it was, so that it can be tried again. Whoever asks from a second window hears how the first one ended. */
export const createAccountDeletion = ({ journal, identity, identityOf, mirrors, isCopying, connections, backups, pictures, sessions, events }: Deps): AccountDeletion => {
  const underWay = new Map<string, Promise<Result<null, Refused>>>()

  const removeHere = async (userId: string, leave: () => Promise<void>): Promise<void> => {
    await leave()
    await sessions.endAllOf(userId)
    events.signedOutEverywhere(userId)
    await connections.forgetAll(userId)
    // Before the journal: who is still in it can be deleted again where this was cut short.
    await backups.forget(userId, () => journal.write.forgetUser({ userId }))
    await pictures.forget(userId)
  }
  const removeAll = async (userId: string, leave: () => Promise<void>): Promise<Result<null, Refused>> => {
    // Once its user is gone nobody could cancel what works at the broker, or tell of it.
    if (await isCopying(userId)) return refuse('copier-working')
    // What is being deleted there must not be sent again meanwhile.
    await mirrors.end(userId)
    const far = await removeFar(userId, { journal, identity, identityOf }).catch((error: unknown) => {
      mirrors.resume(userId)
      throw error
    })
    if (far.ok) await removeHere(userId, leave)
    else mirrors.resume(userId)
    return far
  }

  return {
    remove: async (userId, { password, leave }) => {
      const proved = await identity.prove(userId, password)
      if (!proved.ok) return proved
      const removing = underWay.get(userId) ?? removeAll(userId, leave).finally(() => underWay.delete(userId))
      underWay.set(userId, removing)
      return removing
    },
    ended: async (userId) => {
      const removing = underWay.get(userId)
      await removing?.catch(() => undefined)
      return removing !== undefined
    },
  }
}

const removeFar = async (userId: string, { journal, identity, identityOf }: Pick<Deps, 'journal' | 'identity' | 'identityOf'>): Promise<Result<null, Refused>> => {
  const cloud = await identityOf(userId)
  // Whom a provider knows is signed in to the account that goes. A profile of this computer may know an account that is gone, and the one of now may be another computer's.
  const known = identity.kind === 'local' ? (await journal.read.mirror({ userId })).cloudUser : null
  const removed = cloud === null ? ok(null) : await removeInCloud(cloud, known)
  return removed.ok ? identity.removeUser(userId) : removed
}

const removeInCloud = async (cloud: CloudIdentity, known: string | null): Promise<Result<null, Refused>> => {
  const client = createCloudClient(cloud)
  const user = await client.user()
  if (user.ok && known !== null && user.value !== known) return ok(null)
  const done = user.ok ? await client.call(deleteCloudAccount, { body: { userId: user.value } }) : user
  // It was deleted from another computer.
  if (done.ok || (done.error.kind === 'refused' && done.error.code === 'account-gone')) return ok(null)
  return refuse(done.error.kind === 'refused' ? (done.error.code ?? 'cloud-unreachable') : 'cloud-unreachable')
}
