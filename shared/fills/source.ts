/** Where a fill was read: the broker's API, its Fills file, its Orders file, one of its files of pairs, or a caller who handed it in. */
export type FillSource = 'api' | 'fills-file' | 'orders-file' | 'pairs-file' | 'handed-in'

const ranks: Record<FillSource, number> = { api: 0, 'fills-file': 0, 'pairs-file': 1, 'orders-file': 2, 'handed-in': 3 }

/** How far a source is trusted, 0 the most: an order's average is only an approximation of its fills; sources of one rank tell the same and may correct each other. */
export const sourceRank = (source: FillSource): number => ranks[source]
