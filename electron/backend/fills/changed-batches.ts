import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { query, type Writer } from '../db/database.ts'
import type { Derivation } from './derive-contract.ts'
import { specOf } from './specs.ts'

type Work = Omit<Derivation, 'dates' | 'fresh'> & { readonly dates: Set<string>; readonly fresh: Map<string, Fill[]> }

/** Batches to derive, collected by account and contract. */
export const openChangedBatches = (writer: Writer, userId: string) => {
  const work = new Map<string, Work>()
  const known = query(writer, 'SELECT 1 FROM batches WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
  const workOf = (account: AccountKey, contract: string): Work => {
    const key = `${account}\n${contract}`
    let found = work.get(key)
    if (found === undefined) {
      found = { account, spec: specOf(writer, userId, contract), dates: new Set(), fresh: new Map() }
      work.set(key, found)
    }
    return found
  }
  return {
    /** Adds a batch; returns the list of its fills, which the caller fills in the order of matching, if it had none before. */
    touch: (account: AccountKey, contract: string, date: string): Fill[] | undefined => {
      const { dates, fresh } = workOf(account, contract)
      if (!dates.has(date)) {
        dates.add(date)
        if (known.get(userId, account, contract, date) === undefined) fresh.set(date, [])
      }
      return fresh.get(date)
    },
    list: (): readonly Work[] => [...work.values()],
  }
}
