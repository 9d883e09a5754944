import { exportColumns } from './export-columns.ts'
import { exportKinds, type ExportKind } from './export-kind.ts'

/** The export kind whose columns a header has, in any order and among any others; null if none or two match. */
export const recognizeExport = (header: readonly string[]): ExportKind | null => {
  const names = new Set(header.map(plainName))
  const has = (name: string): boolean => names.has(plainName(name))
  const kinds = exportKinds.filter((kind) => exportColumns[kind].needs.every((need) => (typeof need === 'string' ? has(need) : need.some(has))))
  return kinds.length === 1 ? (kinds[0] ?? null) : null
}

/** For each header column the broker's name of it; null for a column that is not read. */
export const columnsRead = (kind: ExportKind, header: readonly string[]): readonly (string | null)[] => {
  const { needs, reads } = exportColumns[kind]
  const names = new Map([...needs.flat(), ...reads].map((name) => [plainName(name), name]))
  return header.map((name) => names.get(plainName(name)) ?? null)
}

const plainName = (name: string): string => name.trim().toLowerCase()

/** The kind that a header most likely means, and its missing columns; null if none is near or several are equally near. */
export const nearestExport = (header: readonly string[]): { readonly kind: ExportKind; readonly missing: readonly string[] } | null => {
  const names = new Set(header.map(plainName))
  const has = (name: string): boolean => names.has(plainName(name))
  const near = exportKinds.flatMap((kind) => {
    const { needs } = exportColumns[kind]
    const missing = needs.filter((need) => !(typeof need === 'string' ? has(need) : need.some(has))).map((need) => (typeof need === 'string' ? need : (need[0] ?? '')))
    const found = needs.length - missing.length
    return missing.length > 0 && found >= 3 && found * 2 >= needs.length ? [{ kind, missing, share: found / needs.length }] : []
  })
  const [best, next] = near.sort((one, other) => other.share - one.share)
  return best === undefined || best.share === next?.share ? null : { kind: best.kind, missing: best.missing }
}
