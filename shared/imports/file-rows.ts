import type { ExportKind } from './export-kind.ts'
import { hasLocalTimes } from './kind-facts.ts'
import type { Reading } from './reading.ts'

/** One file's readings and how they were read. The journal's fills of other sources have no name, kind, or zone. */
export type FileRows = {
  readonly name: string
  readonly kind: ExportKind | null
  /** The IANA zone of its local times; null if its times need none. */
  readonly zone: string | null
  /** The user's account for rows that name none; null if not given. */
  readonly accountGiven: string | null
  /** When it was imported, UTC ms; missing of files outside of a journal. */
  readonly at?: number
  readonly readings: readonly Reading[]
}

/** How far a row's times are trusted, 0 the most: exact fills, pairs, fills by a local clock, orders, cash movements; a fill of another computer's file like that file's rows. Null for a row without a fill time. */
export const trustOf = ({ kind }: Pick<FileRows, 'kind'>, row: Reading): 0 | 1 | 2 | 3 | 4 | null => {
  switch (row.says) {
    case 'fill': return row.mirrored === 'pairs-file' ? 1 : row.mirrored === 'orders-file' ? 3 : kind === null || !hasLocalTimes(kind) || row.hasOffset === true ? 0 : 2
    case 'pair': return row.hasOffset === true ? 0 : 1
    case 'order': return kind === null || hasLocalTimes(kind) ? 3 : 0
    case 'cash': return 4
    default: return null
  }
}
