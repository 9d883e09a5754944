// The broker's currency ids.
const byId: Readonly<Record<number, string>> = { 1: 'USD', 2: 'EUR', 5: 'CAD', 9: 'CHF' }

/** The ISO code of a broker currency id; USD if missing or unknown. */
export const currencyOf = (id: number | undefined): string => (id === undefined ? 'USD' : (byId[id] ?? 'USD'))
