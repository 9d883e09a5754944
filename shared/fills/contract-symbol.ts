/** Names that may identify a fill's contract. */
export type ContractNames = {
  readonly symbol?: string | null | undefined
  readonly underlyingSymbol?: string | null | undefined
  readonly productSymbol?: string | null | undefined
  readonly displayName?: string | null | undefined
}

/** A fill's symbol: contract, underlying, product or display name, in this order; null if none is known. */
export const contractSymbolOf = ({ symbol, underlyingSymbol, productSymbol, displayName }: ContractNames): string | null =>
  symbol || underlyingSymbol || productSymbol || displayName || null
