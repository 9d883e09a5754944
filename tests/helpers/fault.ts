import type { z } from 'zod'
import type { FaultRow, statedFault } from '../../build/fault-rows.ts'
import type { JournalRows } from './journal-rows.ts'

type Stated = z.infer<typeof statedFault>

/** What a test counts of one fault, for the table in `docs/reliability.md`; it is kept even if the test fails later. */
export type FaultCount = {
  /** The fault struck, once or so many times. */
  readonly tried: (times?: number) => void
  /** Counts missing and extra rows; comparing with nothing counts as no comparison. */
  readonly compare: (found: JournalRows | readonly unknown[], expected: JournalRows | readonly unknown[]) => void
  /** The user reads this: the text as it came, or the sentence of the screen. */
  readonly sees: (text: string) => void
  /** The program's message about the fault, not observed: no page is open in this run. */
  readonly says: (text: string) => void
}

/** Begins to count what a test finds of one fault; and notes it in the running test. */
export const fault = ({ meta }: { readonly meta: object }, row: FaultRow): FaultCount => {
  const stated: Stated = { row, tried: 0, lost: 0, doubled: 0, compared: 0, sees: [], says: [] }
  const noted = meta as { faults?: Stated[] }
  noted.faults = [...(noted.faults ?? []), stated]
  return {
    tried: (times = 1) => void (stated.tried += times),
    compare: (found, expected) => {
      for (const [one, other] of pairsOf(found, expected)) {
        stated.compared += other.length
        stated.lost += without(other, one)
        stated.doubled += without(one, other)
      }
    },
    sees: (text) => {
      if (!stated.sees.includes(text)) stated.sees.push(text)
    },
    says: (text) => {
      if (!stated.says.includes(text)) stated.says.push(text)
    },
  }
}

type Rows = readonly unknown[]

const isList = (rows: JournalRows | Rows): rows is Rows => Array.isArray(rows)
const tablesOf = (rows: JournalRows | Rows): Readonly<Record<string, Rows>> => (isList(rows) ? { rows } : rows)

const pairsOf = (found: JournalRows | Rows, expected: JournalRows | Rows): (readonly [Rows, Rows])[] => {
  const [one, other] = [tablesOf(found), tablesOf(expected)]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].map((table) => [one[table] ?? [], other[table] ?? []])
}

const counted = (rows: Rows): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const text = JSON.stringify(row)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** How many of `rows` the others lack; of equal ones each counts. */
const without = (rows: Rows, others: Rows): number => {
  const there = counted(others)
  return [...counted(rows)].reduce((sum, [text, count]) => sum + Math.max(0, count - (there.get(text) ?? 0)), 0)
}
