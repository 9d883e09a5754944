import type { AboutTrades, Finding, FindingKind } from '#shared/api/reports.ts'
import type { Tested } from './evidence.ts'

/** The figures and chart of a finding. */
export type FindingDetails = Pick<Finding, 'measures' | 'bars' | 'barsIn'>

/** A trade's role: `behind` the finding, compared `against` it, or `neither`. */
export const role = { neither: 0, behind: 1, against: 2 } as const

/** A possible finding: its trades, test and figures. */
export type Candidate = {
  readonly kind: FindingKind
  readonly about: AboutTrades
  /** The `role` of each trade of the panel. */
  readonly roles: Uint8Array
  /** Null if there is too little data; `never` for kinds without a test that is valid for every way to exit a trade and end a day. */
  readonly tested: Tested | 'never' | null
  /** The sign of the excess by the test; null if the test is not about money. */
  readonly sign: number | null
  /** `pooled`: its trades compared with as many of the others; an array: the excess of each day; null: none. */
  readonly excess: 'pooled' | Float64Array | null
  readonly describe: () => FindingDetails
}

/** The roles of `size` trades. */
export const rolesOf = (size: number, of: (index: number) => number): Uint8Array => {
  const roles = new Uint8Array(size)
  for (let index = 0; index < size; index += 1) roles[index] = of(index)
  return roles
}
