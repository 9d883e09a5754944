import type { Played } from './cases.ts'
import type { Silent } from './judge.ts'
import type { RuleName } from './rules.ts'

type Known = { readonly rules: ReadonlySet<RuleName>; readonly kinds: ReadonlySet<string>; readonly onlyFees: boolean }

/** A class of silent wrongs that is known and not mended: each is counted by its name and printed, never passed over. None of them may call a wrong day equal. */
const exceptions: readonly { readonly name: string; readonly fits: (one: Known) => boolean }[] = [
  // Saved again with the day first, in the very shape in which Tradovate writes the month first: docs/proof.md says so.
  { name: 'a Tradovate file with turned dates, all of whose days are 12 or less', fits: ({ rules, kinds }) => rules.has('day before month') && !['grid', 'ninja', 'quantower', 'mapped-fills', 'mapped-trades'].some((kind) => kinds.has(kind)) },
  // No row says where a local time was written; only the broker's movements of cash do.
  { name: 'local times of another zone, without a Cash History', fits: ({ rules, kinds }) => rules.has('shift a zone') && !kinds.has('cash') && !kinds.has('fills') },
  { name: 'rows under the name of another account, without a Cash History', fits: ({ rules, kinds }) => rules.has('mix accounts') && !kinds.has('cash') },
  { name: 'a fee that is another number, in the one file that has it', fits: ({ rules, kinds, onlyFees }) => onlyFees && rules.has('spoil a cell') && !kinds.has('cash') },
  // Nobody knows of which account and session the row was.
  { name: 'a Balance History cut off within the number of an account', fits: ({ rules, kinds }) => rules.has('cut a file') && kinds.has('balances') },
  // In the one file nothing is left of the account's own name, nor of its first rows.
  { name: 'a grid under the name of another account, cut off', fits: ({ rules, kinds }) => rules.has('mix accounts') && rules.has('cut a file') && kinds.has('grid') && kinds.size === 1 },
]

/** The known exception that a failure is one of; null where it is none. */
export const exceptionOf = ({ rules, handed }: Played, silent: readonly Silent[]): string | null => {
  if (silent.some(({ what }) => what === 'the product broke' || what === 'a wrong day called equal')) return null
  const known = { rules: new Set(rules.map(({ name }) => name)), kinds: new Set(handed.files.map(({ kind }) => kind)), onlyFees: silent.every(({ onlyFees }) => onlyFees === true) }
  return exceptions.find(({ fits }) => fits(known))?.name ?? null
}
