import type { CopierAccount } from './engine/calls.ts'
import type { CopierCalls } from './engine/engine.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Client } from '../threads/rpc.ts'
import type { CopierNotes } from './copier-notes.ts'

type Deps = {
  readonly calls: Client<CopierCalls>
  readonly read: Pick<JournalCalls['read'], 'connectedAccounts'>
  readonly notes: Pick<CopierNotes, 'forget'>
  /** Called when this changed groups. */
  readonly changed: (userId: string) => void
}

const keyShape = /^tradovate:(live|demo):(\d+)$/

/** Keeps groups in line with accounts and users. */
export const createCopierLife = ({ calls, read, notes, changed }: Deps) => {
  const seen = new Map<string, string>()

  const accounts = async (userId: string): Promise<readonly CopierAccount[]> =>
    (await read.connectedAccounts({ userId })).flatMap(({ id, loginId, environment, name }) => {
      const number = keyShape.exec(id)?.[2]
      // Accounts from files, and cloud accounts without a login here, cannot be traded.
      return number === undefined || loginId === '' ? [] : [{ key: id, loginId, environment, id: Number(number), name }]
    })

  return {
    /** The journal's accounts that can lead or follow. */
    accounts,
    /** Call when accounts may have changed: disarms a group whose leader is gone, switches off a follower that is gone. */
    accountsMayHaveChanged: async (userId: string): Promise<void> => {
      const found = await accounts(userId)
      const print = JSON.stringify(found)
      const before = seen.get(userId)
      if (before === print) return
      seen.set(userId, print)
      try {
        if (await calls.dropGone({ userId, accounts: found.map(({ key }) => key) })) changed(userId)
        // Not the first time: the thread reads accounts itself at its start, and this would reopen its lines.
        if (before !== undefined) await calls.accountsChanged({ userId })
      } catch (error) {
        // The next check retries what failed.
        if (before === undefined) seen.delete(userId)
        else seen.set(userId, before)
        throw error
      }
    },
    /** A login got new tokens. */
    tokensReplaced: (userId: string): Promise<void> => calls.accountsChanged({ userId }),
    /** The user signed out: armed groups pause, so they still reduce but take no entries until resumed. */
    signedOut: async (userId: string): Promise<void> => void (await calls.pause({ userId, id: null })),
    /** Whether a group of the user is armed or copier orders may still fill. */
    isWorking: (userId: string): Promise<boolean> => calls.isWorking({ userId }),
    /** Disarms and deletes everything of a user who leaves for good: groups, ledger, and consent. */
    forget: async (userId: string): Promise<void> => {
      await calls.deleteUser({ userId })
      seen.delete(userId)
      await notes.forget(userId)
    },
  }
}
