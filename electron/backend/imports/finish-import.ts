import { and, eq } from 'drizzle-orm'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { unnamedAccount } from '#shared/imports/assemble.ts'
import { atomically, type Writer } from '../db/database.ts'
import { importFiles, importReadings, imports } from '../db/schema/imports.ts'
import { accountAttribution, returnFileAccounts } from './import-accounts.ts'
import { forgetImport, isUndone, activateImport, noteUnsettled, takeBack } from './queries.ts'
import { fileOfPart, givenAccount, importOfPart, notesOfImport } from './part-notes.ts'
import { takeAway } from '../fills/gone-fills.ts'
import { fillsOfUndone } from '../fills/removed-fills.ts'
import { isUnsettled, noteJoining, settleImports, sumOf } from './settle-imports.ts'
import type { At, OfUser } from '../db/rows.ts'
import type { Taking } from '../db/barrier.ts'
import type { OfImport, Settled } from './rows.ts'

/** The accounts that the rows of an import may be of. */
const accountsOf = (writer: Writer, userId: string, importId: string): ReadonlySet<AccountKey> => {
  const attribute = accountAttribution(writer, userId)
  const named = writer.orm
    .selectDistinct({ name: importReadings.accountName, id: importReadings.accountId, given: givenAccount })
    .from(importReadings)
    .innerJoin(imports, importOfPart)
    .leftJoin(importFiles, fileOfPart)
    .where(and(eq(importReadings.userId, userId), eq(importReadings.importId, importId)))
    .all()
  const keys = named.map(({ given, ...row }) => attribute(row) ?? attribute({ id: null, name: given ?? unnamedAccount }))
  return new Set(keys.filter((key) => key !== null))
}

/** Removes fills again that undoing an import removed and that have returned since. */
const removeAgain = async (taking: Taking, { userId, at, importId }: { readonly userId: string; readonly at: number; readonly importId: string }): Promise<Settled> => {
  const { writer } = taking
  const gone = atomically(writer, () => takeAway(taking, { userId, at, names: fillsOfUndone(writer, userId, importId) }))
  const settled = await settleImports(taking, { userId, at })
  return gone === null ? settled : sumOf([gone, settled])
}

/** Activates an import; if that fails, deletes it. Throws `not-found` for one that was not begun. */
export const finishImport = async (taking: Taking, { userId, at, importId }: OfImport & At): Promise<Settled> => {
  const { writer } = taking
  const attribute = accountAttribution(writer, userId)
  const wasSettled = !isUnsettled(writer, userId)
  atomically(writer, () => {
    activateImport(writer, userId, importId)
    noteUnsettled(writer, userId, at)
    returnFileAccounts(writer, userId, at, accountsOf(writer, userId, importId))
  })
  try {
    return await settleImports(taking, { userId, at, touched: wasSettled ? { attribute, came: importId, gone: [], changed: new Map() } : null })
  } catch (error) {
    // Half of it may be written: without the import all of that is removed, now or when the journal opens next.
    atomically(writer, () => {
      forgetImport(writer, userId, importId)
      noteUnsettled(writer, userId, at)
    })
    await settleImports(taking, { userId, at }).catch(() => undefined)
    throw error
  }
}

/** Undoes an import; `not-found` if it is not active. */
export const undoImport = async (taking: Taking, { userId, at, importId }: OfImport & At): Promise<Result<Settled, 'not-found'>> => {
  const { writer } = taking
  const wasSettled = !isUnsettled(writer, userId)
  const [attribute, gone] = [accountAttribution(writer, userId), notesOfImport(writer, userId, importId)]
  const stood = atomically(writer, () => {
    const wasStanding = takeBack(writer, userId, at, importId)
    if (wasStanding) noteUnsettled(writer, userId, at)
    return wasStanding
  })
  if (!stood) return isUndone(writer, userId, importId) ? ok(await removeAgain(taking, { userId, at, importId })) : err('not-found')
  return ok(await settleImports(taking, { userId, at, undone: importId, touched: wasSettled ? { attribute, came: null, gone, changed: new Map() } : null }))
}

/** Recomputes fills if anything since made that necessary, for example a login that connects an account which only files knew. */
export const settleWhereUnsettled = async (taking: Taking, { userId, at }: OfUser & At): Promise<Settled | null> => {
  atomically(taking.writer, () => noteJoining(taking.writer, userId, at))
  return isUnsettled(taking.writer, userId) ? settleImports(taking, { userId, at }) : null
}
