import { runUnsliced } from '#shared/base/sliced.ts'
import { accountsNamed, fileAccount } from './accounts.ts'
import { assemble, unnamedAccount } from './assemble.ts'
import type { Assembly } from './assembly.ts'
import type { FileRows } from './file-rows.ts'
import type { Reading } from './reading.ts'
import { settlingFiles, type SettledRow } from './settle-files.ts'

/** The assembly of files, and the names of those attribution account the user must choose: otherwise their money could count twice or in another account. */
export type AssembledFiles = { readonly assembly: Assembly; readonly open: readonly string[] }

/** A placeholder account for rows of an unknown account; `place` counts from 0. */
export const placeholderAccount = (place: number): string => (place === 0 ? unnamedAccount : `${unnamedAccount} ${String(place + 1)}`)

/** Assembles files outside of a journal; their accounts are named by their rows or by the user. */
export const assembleFiles = (files: readonly FileRows[]): AssembledFiles => {
  const prefix = fileAccount('').length
  const nameOf = (account: string): string => account.slice(prefix)
  const settled = runUnsliced(settlingFiles(files, { named: accountsNamed(eachReading(files)), keyOfName: fileAccount, placeholderFor: (place) => fileAccount(placeholderAccount(place)), nameOf }))
  const rows = settled.files.flat()
  const assembly = assemble(rows.map(({ reading, account }) => ({ ...reading, account: { id: null, name: nameOf(account) } })), { account: null })
  const left = rows.filter(isLeft).length
  return {
    assembly: { ...assembly, doubtful: [...assembly.doubtful, ...settled.doubtful], warnings: [...settled.warnings, ...(left === 0 ? [] : [{ code: 'account-unnamed' as const, account: unnamedAccount, rows: left }]), ...assembly.warnings] },
    open: openFiles(files, settled.files),
  }
}

function* eachReading(files: readonly FileRows[]): Generator<Reading> {
  for (const { readings } of files) yield* readings
}

const isLeft = ({ attribution }: SettledRow): boolean => attribution?.by === 'nothing'

// A single unnamed account stands for itself; next to a named one it may be that one.
const openFiles = (files: readonly FileRows[], settled: readonly (readonly SettledRow[])[]): readonly string[] => {
  const names = files.flatMap(({ name }, index) => (settled[index]?.some(isLeft) === true ? [name] : []))
  if (names.length === 0) return []
  const isOfSeveral = settled.some((rows) => rows.some(({ reading, attribution }) => (attribution === null ? namesOne(reading) : attribution.by !== 'nothing' || attribution.place > 0)))
  return isOfSeveral ? [...new Set(names)] : []
}

const namesOne = ({ account }: Reading): boolean => account.name !== null || account.id !== null
