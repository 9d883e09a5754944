// The broker's own numbers of currencies.
const byId: Readonly<Record<number, string>> = { 1: 'USD', 2: 'EUR', 5: 'CAD', 9: 'CHF' }

/** The ISO code of one of the broker's currencies; US dollars where it was not told or is not known. */
export const currencyOf = (id: number | undefined): string => (id === undefined ? 'USD' : (byId[id] ?? 'USD'))
