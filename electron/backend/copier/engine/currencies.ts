import { numberedCurrency } from '#shared/money/money.ts'

// The documented ones of the broker's 14 currency ids.
const byId: Readonly<Record<number, string>> = { 1: 'USD', 2: 'EUR', 5: 'CAD', 9: 'CHF' }

/** The ISO code of a broker currency id; an undocumented one keeps its number, `#4`, and equals no other currency. */
export const currencyOf = (id: number): string => byId[id] ?? numberedCurrency(id)
