import { keyOf } from './assembly.ts'
import type { ExportKind } from './export-kind.ts'
import type { ExportRow, RowProblem } from './reading.ts'

type Cells = ExportRow['cells']

/** Which account numbers go with which account names in one file. Rows are noted first; then each is held against what most of them say. */
export type AccountColumns = {
  readonly note: (cells: Cells) => void
  /** What is wrong where the name and the number of a row are those of two accounts, or nobody can say which is right; null where they go together, or one of them is missing. */
  readonly problemOf: (cells: Cells) => RowProblem | null
}

const columnsOf: Partial<Readonly<Record<ExportKind, readonly [name: string, number: string]>>> = {
  fills: ['Account', '_accountId'],
  'account-balance-history': ['Account Name', 'Account ID'],
}

/** Begins a file; null for kinds that do not have both columns. */
export const accountColumns = (kind: ExportKind): AccountColumns | null => {
  const columns = columnsOf[kind]
  if (columns === undefined) return null
  const [nameColumn, numberColumn] = columns
  const counts = new Map<string, number>()
  const numbersOf = new Map<string, Set<string>>()
  const namesOf = new Map<string, Set<string>>()
  const bothOf = (cells: Cells): readonly [name: string, number: string] | null => {
    const [name, number] = [(cells[nameColumn] ?? '').trim(), (cells[numberColumn] ?? '').trim()]
    return name === '' || number === '' ? null : [name, number]
  }
  const add = (sets: Map<string, Set<string>>, key: string, value: string): void => void sets.set(key, (sets.get(key) ?? new Set()).add(value))
  const countOf = (name: string, number: string): number => counts.get(keyOf(name, number)) ?? 0
  return {
    note: (cells) => {
      const both = bothOf(cells)
      if (both === null) return
      counts.set(keyOf(...both), countOf(...both) + 1)
      add(numbersOf, ...both)
      add(namesOf, both[1], both[0])
    },
    problemOf: (cells) => {
      const both = bothOf(cells)
      if (both === null) return null
      const [name, number] = both
      const own = countOf(name, number)
      const others = [...[...(numbersOf.get(name) ?? [])].filter((one) => one !== number).map((one) => countOf(name, one)), ...[...(namesOf.get(number) ?? [])].filter((one) => one !== name).map((one) => countOf(one, number))]
      return others.every((count) => count < own) ? null : { code: 'other-account', column: `${nameColumn}, ${numberColumn}`, value: `${name}, ${number}`.slice(0, 40) }
    },
  }
}
