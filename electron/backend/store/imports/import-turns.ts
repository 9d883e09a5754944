import { err, ok } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { unnamedAccount } from '#shared/imports/assemble.ts'
import { atomically, query, type Writer } from '../database.ts'
import { returnFileAccounts, whoseIs } from './import-accounts.ts'
import type { ImportWrites } from './import-calls.ts'
import { forgetImport, letStand, noteUnsettled, takeBack } from './imports.ts'
import { nothingSaid, whatImportSays } from './reach.ts'
import { isUnsettled, settleImports } from './settle-imports.ts'
import type { Taking } from '../fills/take-fills.ts'

type Settling = Pick<ImportWrites, 'finishImport' | 'undoImport' | 'settleImports'>

type Named = { name: string | null; id: string | null }

/** The accounts that the rows of an import may be of. */
const accountsOf = (writer: Writer, userId: string, importId: string): ReadonlySet<AccountKey> => {
  const whose = whoseIs(writer, userId)
  const rows = query<Named>(writer, 'SELECT DISTINCT account_name AS name, account_id AS id FROM import_readings WHERE user_id = ? AND import_id = ?').all(userId, importId)
  const said = query<{ account: string | null }>(writer, 'SELECT account FROM imports WHERE user_id = ? AND id = ?').get(userId, importId)
  const keys = rows.map((row) => whose(row) ?? whose({ id: null, name: said?.account ?? unnamedAccount }))
  return new Set(keys.filter((key) => key !== null))
}

/** The writes that put fills together anew; of one user's no two run at once. */
export const importTurns = (taking: Taking): Settling => {
  const { writer } = taking
  return {
    finishImport: async ({ userId, at, importId }) => {
      const whose = whoseIs(writer, userId)
      const wasSettled = !isUnsettled(writer, userId)
      atomically(writer, () => {
        letStand(writer, userId, importId)
        noteUnsettled(writer, userId, at)
        returnFileAccounts(writer, userId, at, accountsOf(writer, userId, importId))
      })
      try {
        return await settleImports(taking, { userId, at, touched: wasSettled ? { whose, came: importId, gone: nothingSaid, told: new Set() } : null })
      } catch (error) {
        // Half of it may stand already: without the import all of that goes again, now or when the journal is opened next.
        atomically(writer, () => {
          forgetImport(writer, userId, importId)
          noteUnsettled(writer, userId, at)
        })
        await settleImports(taking, { userId, at }).catch(() => undefined)
        throw error
      }
    },
    undoImport: async ({ userId, at, importId }) => {
      const wasSettled = !isUnsettled(writer, userId)
      const [whose, gone] = [whoseIs(writer, userId), whatImportSays(writer, userId, importId)]
      const stood = atomically(writer, () => {
        const wasStanding = takeBack(writer, userId, at, importId)
        if (wasStanding) noteUnsettled(writer, userId, at)
        return wasStanding
      })
      if (!stood) return err('not-found')
      return ok(await settleImports(taking, { userId, at, touched: wasSettled ? { whose, came: null, gone, told: new Set() } : null }))
    },
    settleImports: async ({ userId, at }) => (isUnsettled(writer, userId) ? settleImports(taking, { userId, at }) : null),
  }
}
