/** Where a fill was read: the broker's API, its Fills file, a caller who handed it in, the broker's Orders file, or one of its files of pairs. */
export type FillSource = 'api' | 'fills-file' | 'handed-in' | 'orders-file' | 'pairs-file'

const ranks: Record<FillSource, number> = { api: 0, 'fills-file': 0, 'handed-in': 1, 'orders-file': 2, 'pairs-file': 3 }

/** How far a source is trusted, 0 the most; sources of one rank tell the same and may correct each other. */
export const sourceRank = (source: FillSource): number => ranks[source]
