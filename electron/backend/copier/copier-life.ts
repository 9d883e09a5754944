import type { CopierAccount, CopierCalls } from './engine/calls.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Client } from '../threads/rpc.ts'
import type { CopierNotes } from './copier-notes.ts'

/** What happens to groups when accounts and users come and go. */
export type CopierLife = {
  /** The accounts that can be copied from and to, as the journal knows them. */
  readonly accounts: (userId: string) => Promise<readonly CopierAccount[]>
  /** To be called whenever accounts may have come or gone: a group whose leader is gone is disarmed, a follower that is gone is switched off. */
  readonly accountsMayHaveChanged: (userId: string) => Promise<void>
  /** A login has new tokens. */
  readonly tokensReplaced: (userId: string) => Promise<void>
  /** The user signed out in a browser: armed groups take no new entries until somebody resumes them; they go on reducing. */
  readonly signedOut: (userId: string) => Promise<void>
  /** Whether a group of the user's stands armed, or orders of the copier may still fill. */
  readonly isWorking: (userId: string) => Promise<boolean>
  /** Disarms and deletes all that is the user's, who leaves for good: groups, ledger and consent. */
  readonly forget: (userId: string) => Promise<void>
}

type Deps = {
  readonly calls: Client<CopierCalls>
  readonly read: Pick<JournalCalls['read'], 'connectedAccounts'>
  readonly notes: Pick<CopierNotes, 'forget'>
  /** Told where groups changed by this. */
  readonly changed: (userId: string) => void
}

const keyShape = /^tradovate:(live|demo):(\d+)$/

/** Groups follow their accounts and their user. */
export const createCopierLife = ({ calls, read, notes, changed }: Deps): CopierLife => {
  const seen = new Map<string, string>()

  const accounts = async (userId: string): Promise<readonly CopierAccount[]> =>
    (await read.connectedAccounts({ userId })).flatMap(({ id, loginId, environment, name }) => {
      const number = keyShape.exec(id)?.[2]
      // Accounts of files, and those that came from the cloud and have no login here, nobody can trade.
      return number === undefined || loginId === '' ? [] : [{ key: id, loginId, environment, id: Number(number), name }]
    })

  const dropGone = async (userId: string, known: ReadonlySet<string>): Promise<void> => {
    const { groups, live } = await calls.state({ userId })
    for (const { id, ...draft } of groups) {
      const armed = live.groups.some((group) => group.id === id && group.state !== 'off')
      if (armed && !known.has(draft.leader)) await calls.disarm({ userId, id })
      const followers = draft.followers.map((follower) => (known.has(follower.account) ? follower : { ...follower, on: false }))
      if (followers.every(({ on }, index) => on === draft.followers[index]?.on)) continue
      await calls.saveGroup({ userId, id, draft: { ...draft, followers } })
      changed(userId)
    }
  }

  return {
    accounts,
    accountsMayHaveChanged: async (userId) => {
      const found = await accounts(userId)
      const print = JSON.stringify(found)
      const before = seen.get(userId)
      if (before === print) return
      seen.set(userId, print)
      try {
        await dropGone(userId, new Set(found.map(({ key }) => key)))
        // The first time nothing changed: the thread reads accounts itself where it begins with them, and would open its lines anew for this.
        if (before !== undefined) await calls.accountsChanged({ userId })
      } catch (error) {
        // What was not done is done with the next look.
        if (before === undefined) seen.delete(userId)
        else seen.set(userId, before)
        throw error
      }
    },
    tokensReplaced: (userId) => calls.accountsChanged({ userId }),
    signedOut: async (userId) => void (await calls.pause({ userId, id: null })),
    isWorking: (userId) => calls.isWorking({ userId }),
    forget: async (userId) => {
      await calls.forgetUser({ userId })
      seen.delete(userId)
      await notes.forget(userId)
    },
  }
}
