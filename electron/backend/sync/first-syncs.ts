import type { JournalCalls } from '../journal/journal.ts'
import type { createHistory } from './history.ts'
import type { Runs } from './runs.ts'

type Deps = { readonly read: Pick<JournalCalls['read'], 'logins' | 'accountsOfLogin'>; readonly runs: Pick<Runs, 'connects'>; readonly history: Pick<ReturnType<typeof createHistory>, 'state'> }

/** Returns a user's accounts that the journal has only in part: their first sync is not whole yet, or the broker is still giving the history that was asked for with it. An account that was whole since the program started stays so. */
export const createFirstSyncs = ({ read, runs, history }: Deps) => {
  const whole = new Set<string>()
  return async (userId: string): Promise<ReadonlySet<string>> => {
    const [logins, { logins: histories }] = await Promise.all([read.logins({ userId }), history.state(userId)])
    // One in trouble may wait for days.
    const coming = new Set(histories.filter(({ state, trouble }) => state === 'running' || (state === 'waiting' && trouble === null)).map(({ loginId }) => loginId))
    const partly = new Set<string>()
    for (const { id } of logins) {
      const isFirst = coming.has(id) || runs.connects(userId, id)
      for (const { key, lastSyncAt } of await read.accountsOfLogin({ userId, loginId: id })) {
        const name = `${id} ${key}`
        if (lastSyncAt !== null && (whole.has(name) || !isFirst)) whole.add(name)
        else {
          whole.delete(name)
          partly.add(key)
        }
      }
    }
    return partly
  }
}
