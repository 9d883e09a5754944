import type { ExportKind } from './export-kind.ts'
import type { Reading } from './reading.ts'

/** What one file says, and how it was read. What the broker's API says has no name, no kind and no zone. */
export type FileRows = {
  readonly name: string
  readonly kind: ExportKind | null
  /** The IANA zone in which its local times were read; null where its times need none. */
  readonly zone: string | null
  /** The account of its rows that name none, as the user said it; null where nobody did. */
  readonly said: string | null
  readonly readings: readonly Reading[]
}

/** How far the times of a row of a file are trusted, 0 the most: those of exact fills, of pairs, of a platform's grid, of orders, of movements of cash. Null for a row that has no time of a fill. */
export const trustOf = ({ kind }: Pick<FileRows, 'kind'>, { says }: Pick<Reading, 'says'>): 0 | 1 | 2 | 3 | 4 | null => {
  switch (says) {
    case 'fill': return kind === 'ninjatrader-executions' ? 2 : 0
    case 'pair': return 1
    case 'order': return 3
    case 'cash': return 4
    default: return null
  }
}
