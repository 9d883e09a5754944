import { keyOf } from './assembly.ts'
import type { ExportKind } from './export-kind.ts'
import type { ExportRow, RowProblem } from './reading.ts'

type Cells = ExportRow['cells']

/** Which numbers go with which names in one file. Rows are noted first; then each is held against what most of them say. */
export type ColumnPairs = {
  readonly note: (cells: Cells) => void
  /** What is wrong where the name and the number of a row are those of two accounts or contracts, or nobody can say which is right; null where they go together, or one of them is missing. */
  readonly problemOf: (cells: Cells) => RowProblem | null
}

type Columns = { readonly name: string; readonly number: string; /** Whether one name may have several numbers: a contract's name returns after ten years. */ readonly nameReturns?: true }

const columnsOf: Partial<Readonly<Record<ExportKind, readonly Columns[]>>> = {
  fills: [{ name: 'Account', number: '_accountId' }, { name: 'Contract', number: '_contractId', nameReturns: true }],
  'account-balance-history': [{ name: 'Account Name', number: 'Account ID' }],
}

/** Begins a file; null for kinds that have no such columns. */
export const columnPairs = (kind: ExportKind): ColumnPairs | null => {
  const pairs = columnsOf[kind]?.map(pairOf)
  return pairs === undefined ? null : {
    note: (cells) => {
      for (const { note } of pairs) note(cells)
    },
    problemOf: (cells) => pairs.map(({ problemOf }) => problemOf(cells)).find((problem) => problem !== null) ?? null,
  }
}

const pairOf = (columns: Columns): ColumnPairs => {
  const counts = new Map<string, number>()
  const numbersOf = new Map<string, Set<string>>()
  const namesOf = new Map<string, Set<string>>()
  const bothOf = (cells: Cells): readonly [name: string, number: string] | null => {
    const [name, number] = [(cells[columns.name] ?? '').trim(), (cells[columns.number] ?? '').trim()]
    return name === '' || number === '' ? null : [name, number]
  }
  const add = (sets: Map<string, Set<string>>, key: string, value: string): void => void sets.set(key, (sets.get(key) ?? new Set()).add(value))
  const countOf = (name: string, number: string): number => counts.get(keyOf(name, number)) ?? 0
  return {
    note: (cells) => {
      const both = bothOf(cells)
      if (both === null) return
      counts.set(keyOf(...both), countOf(...both) + 1)
      if (columns.nameReturns !== true) add(numbersOf, ...both)
      add(namesOf, both[1], both[0])
    },
    problemOf: (cells) => {
      const both = bothOf(cells)
      if (both === null) return null
      const [name, number] = both
      const own = countOf(name, number)
      const others = [...[...(numbersOf.get(name) ?? [])].filter((one) => one !== number).map((one) => countOf(name, one)), ...[...(namesOf.get(number) ?? [])].filter((one) => one !== name).map((one) => countOf(one, number))]
      return others.every((count) => count < own) ? null : { code: 'not-together', column: `${columns.name}, ${columns.number}`, value: `${name}, ${number}`.slice(0, 40) }
    },
  }
}
