import type { AboutTrades, Finding, FindingKind } from '#shared/api/reports.ts'
import type { Tested } from './evidence.ts'

/** What a kind says beside its money. */
export type FindingDetails = Pick<Finding, 'measures' | 'bars' | 'barsIn'>

/** Of a trade: behind the finding, held against it, or neither. */
export const role = { neither: 0, behind: 1, against: 2 } as const

/** What may become a finding: its trades, its test and its figures. */
export type Candidate = {
  readonly kind: FindingKind
  readonly about: AboutTrades
  /** The `role` of each trade of the panel. */
  readonly roles: Uint8Array
  /** Null where there is too little to test; `never` of a kind that has no test which holds for every way to leave a trade and to end a day. */
  readonly tested: Tested | 'never' | null
  /** Of which sign the excess is where the test is right; null where the test asks for something else than money. */
  readonly sign: number | null
  /** `pooled`: the trades behind it against as many of the others; a column: the excess of each day; null: no such figure. */
  readonly excess: 'pooled' | Float64Array | null
  readonly describe: () => FindingDetails
}

/** The roles of so many trades. */
export const rolesOf = (size: number, of: (index: number) => number): Uint8Array => {
  const roles = new Uint8Array(size)
  for (let index = 0; index < size; index += 1) roles[index] = of(index)
  return roles
}
