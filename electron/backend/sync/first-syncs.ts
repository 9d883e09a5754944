import type { JournalCalls } from '../journal/journal.ts'
import type { createHistory } from './history.ts'
import type { Runs } from './service.ts'

type Deps = { readonly read: Pick<JournalCalls['read'], 'logins' | 'accountsOfLogin'>; readonly runs: Pick<Runs, 'connects'>; readonly history: Pick<ReturnType<typeof createHistory>, 'state'> }

/**
 * Returns a user's accounts that the journal has only in part: their login was just connected, and its first run or the history
 * asked for with it has not ended yet. One that was whole since the program started stays so, and so does one whose sync failed: a limit is never silent for long.
 */
export const createFirstSyncs = ({ read, runs, history }: Deps) => {
  const justConnected = new Set<string>()
  const whole = new Set<string>()
  return async (userId: string): Promise<ReadonlySet<string>> => {
    const [logins, { logins: histories }] = await Promise.all([read.logins({ userId }), history.state(userId)])
    // One in trouble may wait for days.
    const coming = new Set(histories.filter(({ state, trouble }) => state === 'running' || (state === 'waiting' && trouble === null)).map(({ loginId }) => loginId))
    const partly = new Set<string>()
    for (const { id } of logins) {
      if (runs.connects(userId, id)) justConnected.add(id)
      else if (!coming.has(id)) justConnected.delete(id)
      for (const { key } of await read.accountsOfLogin({ userId, loginId: id })) {
        const name = `${id} ${key}`
        if (!justConnected.has(id)) whole.add(name)
        else if (!whole.has(name)) partly.add(key)
      }
    }
    return partly
  }
}
