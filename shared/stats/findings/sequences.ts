import type { Panel } from './panel.ts'
import { medianOf } from './studentized.ts'

/** An entry within this time of a losing exit may be a revenge trade. */
export const revengeWindowMs = 600_000

/** What a trader knew at each entry, by account and day. */
export type Sequences = {
  /** The start of each account's day in the panel, and the end of the last. */
  readonly starts: Uint32Array
  /** The account's last trade closed on that day before this entry; -1 if none. */
  readonly before: Int32Array
  /** The trade's number by entry within its account's day, from 1. */
  readonly number: Uint32Array
  /** An account's median number of trades per day. */
  readonly usual: Float64Array
  /** Contracts in units of the account's median. */
  readonly size: Float64Array
  /** Whether it was entered within ten minutes of the previous exit. */
  readonly quick: Uint8Array
}

/** The sequences of a panel. */
export const sequencesOf = (panel: Panel): Sequences => {
  const { size, trades, day, account, accounts, contracts } = panel
  const starts: number[] = []
  for (let index = 0; index < size; index += 1) if (index === 0 || day[index] !== day[index - 1] || account[index] !== account[index - 1]) starts.push(index)
  starts.push(size)
  const [entries, exits] = [Float64Array.from(trades, ({ entryTime }) => entryTime), Float64Array.from(trades, ({ exitTime }) => exitTime)]
  const [before, number, quick] = [new Int32Array(size).fill(-1), new Uint32Array(size), new Uint8Array(size)]
  for (let place = 0; place + 1 < starts.length; place += 1) {
    const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? 0]
    const byEntry = Array.from({ length: to - from }, (_, index) => from + index).sort((one, other) => (entries[one] ?? 0) - (entries[other] ?? 0) || one - other)
    // Entries and exits both ascend, so one pass over the exits is enough.
    let closed = from
    for (const [rank, index] of byEntry.entries()) {
      number[index] = rank + 1
      const entry = entries[index] ?? 0
      while (closed < to && (exits[closed] ?? 0) <= entry) closed += 1
      const last = Math.min(closed, index) - 1
      if (last < from) continue
      before[index] = last
      quick[index] = entry - (exits[last] ?? 0) <= revengeWindowMs ? 1 : 0
    }
  }
  const usual = accounts.map((_, own) => medianOf(Float64Array.from(starts.flatMap((from, place) => (place + 1 < starts.length && account[from] === own ? [(starts[place + 1] ?? 0) - from] : [])))))
  const sizes = accounts.map((_, own) => medianOf(contracts.filter((_, index) => account[index] === own)))
  return {
    starts: Uint32Array.from(starts), before, number, quick,
    usual: Float64Array.from(usual),
    size: contracts.map((own, index) => own / (sizes[account[index] ?? 0] || 1)),
  }
}
