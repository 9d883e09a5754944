/** Where a fill was read: the broker's API, its Fills file, its Orders file, one of its files of pairs, or an API caller. */
export type FillSource = 'api' | 'fills-file' | 'orders-file' | 'pairs-file' | 'handed-in'

const ranks: Record<FillSource, number> = { api: 0, 'fills-file': 0, 'pairs-file': 1, 'orders-file': 2, 'handed-in': 3 }

/** A source's rank, 0 is the most trusted: an order's average price only approximates its fills. Sources of one rank may correct each other. */
export const sourceRank = (source: FillSource): number => ranks[source]
