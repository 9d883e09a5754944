import { basename } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import { dateOrders, type DateOrder } from '#shared/imports/export-kind.ts'
import type { FormatHints } from '#shared/imports/file-format.ts'

/** How the dates of a file begin, as the command's user gave it; null where nobody did. */
export type DatesGiven = { readonly of: (path: string) => FormatHints['dates'] }

/** Reads `dmy` or `mdy`, for all files that leave it open, and `FILE=dmy`, for one of them by its path or its name. The error is what says neither, or names no file. */
export const datesGiven = (given: readonly string[], paths: readonly string[]): Result<DatesGiven, string> => {
  const byPath = new Map<string, DateOrder>()
  let all: DateOrder | null = null
  for (const text of given) {
    const end = text.lastIndexOf('=')
    const order = dateOrders.find((one) => one === text.slice(end + 1).trim().toLowerCase())
    const named = paths.filter((path) => path === text.slice(0, end) || basename(path) === text.slice(0, end))
    if (order === undefined || (end >= 0 && new Set(named).size !== 1)) return err(text)
    if (end < 0) all = order
    for (const path of end < 0 ? [] : named) byPath.set(path, order)
  }
  return ok({
    of: (path) => {
      const own = byPath.get(path)
      return own !== undefined ? { order: own, ofThisFile: true } : all === null ? null : { order: all, ofThisFile: false }
    },
  })
}
