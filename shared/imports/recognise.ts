import { exportColumns } from './export-columns.ts'
import { exportKinds, type ExportKind } from './export-kind.ts'

/** The kind of export whose columns a header has, in whatever order and among whatever others; null where it is none that is known, or could be two. */
export const recogniseExport = (header: readonly string[]): ExportKind | null => {
  const names = new Set(header.map(plainName))
  const has = (name: string): boolean => names.has(plainName(name))
  const kinds = exportKinds.filter((kind) => exportColumns[kind].needs.every((need) => (typeof need === 'string' ? has(need) : need.some(has))))
  return kinds.length === 1 ? (kinds[0] ?? null) : null
}

/** For each column of a header the name by which rows of the kind are read, as the broker writes it; null for a column that is not read. */
export const columnsRead = (kind: ExportKind, header: readonly string[]): readonly (string | null)[] => {
  const { needs, reads } = exportColumns[kind]
  const names = new Map([...needs.flat(), ...reads].map((name) => [plainName(name), name]))
  return header.map((name) => names.get(plainName(name)) ?? null)
}

const plainName = (name: string): string => name.trim().toLowerCase()
