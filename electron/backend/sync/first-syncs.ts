import type { JournalCalls } from '../journal/journal.ts'
import type { createHistory } from './history.ts'
import type { Runs } from './service.ts'

type Deps = { readonly read: Pick<JournalCalls['read'], 'logins' | 'accountsOfLogin'>; readonly runs: Pick<Runs, 'connects'>; readonly history: Pick<ReturnType<typeof createHistory>, 'state'> }

/**
 * A user's accounts whose first sync, or the history requested with it, has not ended. An account once complete is never
 * returned again while the program runs, nor is one whose sync failed: its alerts must not stay silent.
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
