import { deleteCloudAccount } from '#shared/api/cloud.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import type { Log } from '#shared/base/log.ts'
import { ok } from '#shared/base/result.ts'
import type { Result } from '#shared/base/result.ts'
import { createCloudClient, type CloudIdentity } from '../cloud/client.ts'
import type { Pictures } from '../pictures/pictures.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Connections } from '../accounts/connections.ts'
import type { Events } from '../events.ts'
import type { IdentityPort } from './identity.ts'
import { demoUserId } from '../demo-user.ts'
import type { Leaving } from './leaving.ts'
import type { Sessions } from './sessions.ts'

type Deps = {
  readonly journal: JournalCalls
  readonly identity: Pick<IdentityPort, 'kind' | 'reauthenticate' | 'removeUser'>
  /** The user's cloud identity; null if there is no cloud. */
  readonly identityOf: (userId: string) => Promise<CloudIdentity | null>
  readonly mirrors: {
    readonly end: (userId: string) => Promise<void>
    readonly resume: (userId: string) => void
    /** Lets the next profile of this id be mirrored. */
    readonly release: (userId: string) => void
  }
  /** Whether the copier is armed or has orders that may still fill. */
  readonly isCopying: (userId: string) => Promise<boolean>
  readonly connections: Pick<Connections, 'deleteAll'>
  readonly backups: { readonly forget: (userId: string, andThen: () => Promise<void>) => Promise<void> }
  readonly pictures: Pick<Pictures, 'forget'>
  readonly prices: { readonly forget: (userId: string) => Promise<void> }
  /** Deletes the demo's cloud with its database, and takes its market back to the start. */
  readonly deleteDemo: () => Promise<void>
  readonly leaving: Leaving
  readonly sessions: Pick<Sessions, 'endAllOf'>
  readonly events: Pick<Events, 'signedOutEverywhere'>
  readonly log: Log
}

/** Deletes a user's account, or the demo profile. */
export type AccountDeletion = ReturnType<typeof createAccountDeletion>

/** Deletes remote data first: if a step fails, everything local is intact and the user can retry. From then on the user is marked as leaving, and the next start finishes what is not done. A second window that asks shares the running deletion's result. */
export const createAccountDeletion = ({ journal, identity, identityOf, mirrors, isCopying, connections, backups, pictures, prices, deleteDemo, leaving, sessions, events, log }: Deps) => {
  const underWay = new Map<string, Promise<Result<null, Refused>>>()

  const removeLocally = async (userId: string, signOutBrowser: () => Promise<void>): Promise<void> => {
    await leaving.begin(userId)
    await signOutBrowser()
    await sessions.endAllOf(userId)
    events.signedOutEverywhere(userId)
    await connections.deleteAll(userId)
    await backups.forget(userId, () => journal.write.deleteUser({ userId }))
    await pictures.forget(userId)
    await prices.forget(userId)
    if (userId === demoUserId) {
      await deleteDemo()
      // A new demo profile gets the same id.
      mirrors.release(userId)
    }
    await leaving.end(userId)
  }
  const removeAll = async (userId: string, signOutBrowser: () => Promise<void>): Promise<Result<null, Refused>> => {
    // Without the user, nobody could cancel the orders that are still working at the broker.
    if (await isCopying(userId)) return refuse('copier-working')
    // Stop the mirror, or it would upload again what the cloud is deleting.
    await mirrors.end(userId)
    // The demo's cloud holds nothing else and is deleted as files.
    const remote = userId === demoUserId ? ok(null) : await removeRemotely(userId, { journal, identity, identityOf }).catch((error: unknown) => {
      mirrors.resume(userId)
      throw error
    })
    if (remote.ok) await removeLocally(userId, signOutBrowser)
    else mirrors.resume(userId)
    return remote
  }

  return {
    /** Deletes the cloud copy, the user at the identity provider, and the local journal, pictures and tokens. `signOutBrowser` signs out the requesting browser; it runs after the remote deletions have succeeded. */
    remove: async (userId: string, { password, signOutBrowser }: { readonly password: string | undefined; readonly signOutBrowser: () => Promise<void> }): Promise<Result<null, Refused>> => {
      // The demo profile is nobody's: it has no password and holds nothing of worth.
      const proved = userId === demoUserId ? ok(null) : await identity.reauthenticate(userId, password)
      if (!proved.ok) return proved
      const removing = underWay.get(userId) ?? removeAll(userId, signOutBrowser).finally(() => underWay.delete(userId))
      underWay.set(userId, removing)
      return removing
    },
    /** Finishes the deletions that the end of the program cut short. Call once at the start, before anybody can sign in. */
    finish: async (): Promise<void> => {
      for (const userId of leaving.all()) {
        await removeLocally(userId, () => Promise.resolve()).catch((error: unknown) => log.error({ error }, 'interrupted deletion could not be finished'))
      }
    },
    /** Waits for a running deletion of this user to finish or fail; returns false at once if none is running. */
    settled: async (userId: string): Promise<boolean> => {
      const removing = underWay.get(userId)
      await removing?.catch(() => undefined)
      return removing !== undefined
    },
  }
}

const removeRemotely = async (userId: string, { journal, identity, identityOf }: Pick<Deps, 'journal' | 'identity' | 'identityOf'>): Promise<Result<null, Refused>> => {
  const cloud = await identityOf(userId)
  // With an identity provider, the token names the account to delete. A local profile may have mirrored to an account that is gone, and its email may now belong to an account that another computer created.
  const known = identity.kind === 'local' ? (await journal.read.mirror({ userId })).cloudUser : null
  const removed = cloud === null ? ok(null) : await removeInCloud(cloud, known)
  return removed.ok ? identity.removeUser(userId) : removed
}

const removeInCloud = async (cloud: CloudIdentity, known: string | null): Promise<Result<null, Refused>> => {
  const client = createCloudClient(cloud)
  const user = await client.user()
  if (user.ok && known !== null && user.value !== known) return ok(null)
  const done = user.ok ? await client.call(deleteCloudAccount, { body: { userId: user.value } }) : user
  // Another computer has already deleted it.
  if (done.ok || (done.error.kind === 'refused' && done.error.code === 'account-gone')) return ok(null)
  return refuse(done.error.kind === 'refused' ? (done.error.code ?? 'cloud-unreachable') : 'cloud-unreachable')
}
