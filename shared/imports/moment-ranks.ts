import type { FillReading } from './reading.ts'

/** Gives fills of one file their places within the moments that they share. What it gives out may be of rows taken before. */
export type MomentRanks = { readonly take: (fill: FillReading) => readonly FillReading[]; readonly end: () => readonly FillReading[] }

type Moment = { readonly time: number; readonly before: number | null; readonly rows: FillReading[] }

// Of a file whose rows share one moment no more are held than this.
const mostHeld = 20_000

/**
 * Ranks the rows of each account and contract within a moment. Whether the file runs up or down in time its other
 * moments show; where nothing shows it, rows keep their place in the file as `row`.
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
