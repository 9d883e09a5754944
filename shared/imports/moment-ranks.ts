import type { FillReading } from './reading.ts'

/** Ranks one file's fills within a shared timestamp. It may return rows taken earlier. */
export type MomentRanks = { readonly take: (fill: FillReading) => readonly FillReading[]; readonly end: () => readonly FillReading[] }

type Moment = { readonly time: number; readonly before: number | null; readonly rows: FillReading[] }

// Limits the rows held for one timestamp.
const mostHeld = 20_000

/**
 * Ranks the rows of each account and contract within a timestamp. Its other timestamps show whether a file is sorted up or down; if nothing does, rows
 * keep their file position as `row`.
 */
export const rankMoments = (): MomentRanks => {
  const streams = new Map<string, Moment>()
  const alone: Moment[] = []
  const runs = { up: 0, down: 0 }
  let held = 0

  const close = (moment: Moment, next: number | null): readonly FillReading[] => {
    const before = moment.before === null ? null : Math.sign(moment.time - moment.before)
    const behind = next === null ? null : Math.sign(next - moment.time)
    if (behind !== null) runs[behind > 0 ? 'up' : 'down'] += 1
    if (before === null && behind === null && moment.rows.length > 1) {
      alone.push(moment)
      return []
    }
    held -= moment.rows.length
    return ranked(moment.rows, before === null || behind === null ? (before ?? behind ?? 0) : before === behind ? before : 0)
  }
  const end = (): readonly FillReading[] => {
    const rows = [...streams.values()].flatMap((moment) => close(moment, null))
    const run = runs.up > 0 === runs.down > 0 ? 0 : runs.up > 0 ? 1 : -1
    const rest = alone.flatMap((moment) => ranked(moment.rows, run))
    streams.clear()
    alone.length = 0
    held = 0
    return [...rows, ...rest]
  }

  return {
    take: (fill) => {
      const key = JSON.stringify([fill.account.name, fill.account.id, fill.contract])
      const moment = streams.get(key)
      held += 1
      if (moment?.time === fill.time) {
        moment.rows.push(fill)
        return held > mostHeld ? end() : []
      }
      streams.set(key, { time: fill.time, before: moment?.time ?? null, rows: [fill] })
      return moment === undefined ? [] : close(moment, fill.time)
    },
    end,
  }
}

const ranked = (rows: readonly FillReading[], run: number): readonly FillReading[] => {
  if (rows.length === 1) return rows
  if (run === 0) return rows.map((fill, row) => ({ ...fill, row }))
  return rows.map((fill, index) => ({ ...fill, rank: run > 0 ? index : rows.length - 1 - index }))
}
