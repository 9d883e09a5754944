import type { ExportKind } from './export-kind.ts'
import type { Reading } from './reading.ts'

/** One file's readings and how they were read. The broker's API data has no name, kind, or zone. */
export type FileRows = {
  readonly name: string
  readonly kind: ExportKind | null
  /** The IANA zone of its local times; null if its times need none. */
  readonly zone: string | null
  /** The user's account for rows that name none; null if not given. */
  readonly said: string | null
  readonly readings: readonly Reading[]
}

/** How far a row's times are trusted, 0 the most: exact fills, pairs, a platform's grid, orders, cash movements. Null for a row without a fill time. */
export const trustOf = ({ kind }: Pick<FileRows, 'kind'>, { says }: Pick<Reading, 'says'>): 0 | 1 | 2 | 3 | 4 | null => {
  switch (says) {
    case 'fill': return kind === 'ninjatrader-executions' ? 2 : 0
    case 'pair': return 1
    case 'order': return 3
    case 'cash': return 4
    default: return null
  }
}
