import { unsettledUsers } from './imports.ts'
import { settleImports } from './settle-imports.ts'
import { sqliteFault } from '../sqlite-fault.ts'
import type { Taking } from '../fills/take-fills.ts'

/**
 * Puts together what programs that died had begun to, and counts the users for whom a fault of ours kept that from its
 * end: they stay marked, and their journal opens as it stands. What is wrong with the file itself is thrown.
 */
export const settleLeftovers = async (taking: Taking): Promise<number> => {
  let unsettled = 0
  for (const { userId, at } of unsettledUsers(taking.writer)) {
    try {
      await settleImports(taking, { userId, at })
    } catch (error) {
      if (sqliteFault(error).code !== 'internal') throw error
      unsettled += 1
    }
  }
  return unsettled
}
