import type { Amount, Currency } from '#shared/money/money.ts'

/** Where a figure came from: the broker's own product row, Fillbook's table, or nowhere (unknown contract). */
export type SpecSource = 'broker' | 'table' | 'unknown'

/** What is known of a contract, enough to turn ticks into money. */
export type ContractSpec = {
  /** The contract's name, `MESM6`. */
  readonly contract: string
  /** The product code, `MES`; null where none was found in the name. */
  readonly root: string | null
  /** False where the code that was found is not the whole root of the name (`MNGH6` holds NG and is not NG). */
  readonly rootIsWhole: boolean
  readonly currency: Currency
  /** The tick as an exact decimal, `"0.25"`. For an unknown contract the finest step that is kept, `"0.00000001"`. */
  readonly tickSize: string
  /** Worth of one tick of one contract: `num / den` units of 1/10,000 of the currency; `den` is 1 wherever that is whole. */
  readonly tickValue: { readonly num: number; readonly den: number }
  /** Commission per side and contract that applies where the fill carries no fee of its own. */
  readonly feePerSide: Amount
  /** Where tick value came from. */
  readonly source: SpecSource
}
