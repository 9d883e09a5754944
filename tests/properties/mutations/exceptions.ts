import type { Played } from './cases.ts'
import { cellsOf, originOf } from './cells.ts'
import type { Silent } from './judge.ts'
import type { RuleName } from './rules.ts'
import type { Draft, Kind } from './writers.ts'

type Known = { readonly broken: (...rules: readonly RuleName[]) => boolean; readonly has: (...kinds: readonly Kind[]) => boolean; /** Whether a row names another account than its broker wrote. */ readonly isMoved: boolean; readonly silent: readonly Silent[] }

/** A class of silent wrongs that is known and not mended yet: each is counted by its name and printed, never passed over. Whoever mends one takes it out. */
type Exception = { readonly name: string; readonly fits: (one: Known) => boolean }

const isEqual = ({ what }: Silent): boolean => what === 'a wrong day called equal'
const noneEqual = (silent: readonly Silent[]): boolean => !silent.some(isEqual)

const exceptions: readonly Exception[] = [
  // The fees of a session are spread evenly over the fills that are known, though some of the fills are in no file.
  { name: 'fees of the Cash History spread over fills of which some are not known, and the day called equal', fits: ({ has, silent }) => has('cash') && !has('fills', 'grid') && silent.every((one) => one.onlyFees === true) },
  // `Account` and `_accountId` of a row are not those of one account by the other rows; or a file without a number moves a row to another account.
  { name: 'a row in another account than the rest of the files have it', fits: ({ broken, isMoved, silent }) => (isMoved || broken('mix accounts')) && noneEqual(silent) },
  { name: 'dates that can be read two ways', fits: ({ broken, silent }) => broken('day before month') && noneEqual(silent) },
  { name: 'a grid whose Position column no longer follows', fits: ({ broken, has, silent }) => has('grid') && broken('drop rows', 'spoil a cell', 'shift cells', 'cut a file') && noneEqual(silent) },
  { name: "columns under each other's names", fits: ({ broken, silent }) => broken('rename a column') && noneEqual(silent) },
  // An order of several contracts may have been filled at several prices and in another order than another of its second.
  { name: 'orders whose average lies on a tick, or that were filled in one second, without a mark', fits: ({ has, silent }) => has('orders') && noneEqual(silent) },
]

const hasMoved = ({ table, head }: Draft): boolean =>
  table.rows.some((row) => ['Account', '_accountId', 'Account Name', 'Account ID'].some((name) => cellsOf(table.header, row)(name) !== cellsOf(head, originOf(row))(name) && table.header.includes(name)))

/** The known exception that a failure is one of; null where it is none. */
export const exceptionOf = ({ rules, handed }: Played, silent: readonly Silent[]): string | null => {
  if (silent.some(({ what }) => what === 'the product broke')) return null
  const has = (...kinds: readonly Kind[]): boolean => handed.files.some(({ kind }) => kinds.includes(kind))
  const broken = (...names: readonly RuleName[]): boolean => rules.some(({ name }) => names.includes(name))
  return exceptions.find(({ fits }) => fits({ has, broken, isMoved: handed.files.some(hasMoved), silent }))?.name ?? null
}
