/** Where a fill was read: the broker's API, its Fills file, its Orders file, or one of its files of pairs. */
export type FillSource = 'api' | 'fills-file' | 'orders-file' | 'pairs-file'

const ranks: Record<FillSource, number> = { api: 0, 'fills-file': 0, 'orders-file': 1, 'pairs-file': 2 }

/** How far a source is trusted, 0 the most; sources of one rank tell the same and may correct each other. */
export const sourceRank = (source: FillSource): number => ranks[source]
