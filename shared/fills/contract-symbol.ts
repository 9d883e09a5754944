/** What may name the contract of a fill. */
export type ContractNames = {
  readonly symbol?: string | null | undefined
  readonly underlyingSymbol?: string | null | undefined
  readonly productSymbol?: string | null | undefined
  readonly displayName?: string | null | undefined
}

/** The symbol that a fill goes by: contract, underlying, product or display name, in this order; null where none is known. */
export const contractSymbolOf = ({ symbol, underlyingSymbol, productSymbol, displayName }: ContractNames): string | null =>
  symbol || underlyingSymbol || productSymbol || displayName || null
