import { err, ok } from '#shared/base/result.ts'
import { contractKey, journalContract } from '#shared/prices/contract-key.ts'
import { barList, joinedBars, type BarAsk, type BarList, type BarsRead } from '../bars.ts'
import type { BrokerAnswer } from '../port.ts'
import { mostBars, type BarUnit, type ProjectxClient } from './client.ts'

const widths = { second: 1_000, minute: 60_000 } as const satisfies Record<BarUnit, number>
/** What one request covers: whole minutes, and never more seconds than one answer may have. */
const pieceMs = Math.floor((mostBars * widths.second) / widths.minute) * widths.minute

/** Reads bars through a login: second bars as far back as the broker has them, then minute bars. */
export const createProjectxBars = (client: Pick<ProjectxClient, 'bars' | 'contract'>, now: () => number) => {
  const named = new Map<string, boolean>()
  /** By contract, the moment before which it had minutes and no seconds. */
  const minutesBefore = new Map<string, number>()

  /** Whether the broker's contract is the journal's: an id is made of names that are learned. */
  const isContract = async (id: string, { contract, from }: Pick<BarAsk, 'contract' | 'from'>, signal: AbortSignal): BrokerAnswer<boolean> => {
    const known = named.get(`${id} ${contract}`)
    if (known !== undefined) return ok(known)
    const found = await client.contract(id, signal)
    if (!found.ok) return found
    const name = found.value === null ? null : journalContract(found.value.name, from)
    const isSame = name !== null && contractKey(name) === contractKey(contract)
    named.set(`${id} ${contract}`, isSame)
    return ok(isSame)
  }

  return async ({ contract, brokerContractId: id, tickSize, ...span }: BarAsk, signal: AbortSignal): BrokerAnswer<BarsRead> => {
    if (id === null) return err({ kind: 'not-found' })
    const same = await isContract(id, { contract, from: span.from }, signal)
    if (!same.ok) return same
    if (!same.value) return err({ kind: 'not-found' })
    const [from, to] = [Math.floor(span.from / widths.minute) * widths.minute, Math.ceil(span.to / widths.minute) * widths.minute]
    let refused = 0
    const read = async (unit: BarUnit, begin: number, end: number): BrokerAnswer<BarList> => {
      const answer = await client.bars(id, unit, { from: begin, to: end }, signal)
      if (!answer.ok) return answer
      const rows = answer.value.rows.map(({ t, o, h, l, c, v }) => ({ time: t, open: o, high: h, low: l, close: c, volume: v }))
      const made = barList(rows, { tickSize, from: begin, to: end, widthMs: widths[unit], now: now() })
      refused += made.refused + answer.value.refused.length
      return ok(made.list)
    }
    const lists: Record<BarUnit, BarList[]> = { second: [], minute: [] }
    // Newest first: once second bars end, older ones are requested as minute bars at once.
    for (let end = to; end > from; end -= pieceMs) {
      const begin = Math.max(from, end - pieceMs)
      const seconds = end <= (minutesBefore.get(id) ?? -Infinity) ? null : await read('second', begin, end)
      if (seconds !== null && !seconds.ok) return seconds
      if (seconds !== null && seconds.value.at.length > 0) {
        lists.second.unshift(seconds.value)
        continue
      }
      const minutes = await read('minute', begin, end)
      if (!minutes.ok) return minutes
      if (minutes.value.at.length === 0) continue
      minutesBefore.set(id, end)
      lists.minute.unshift(minutes.value)
    }
    const entries = lists.second.reduce((sum, { at }) => sum + at.length, 0) + lists.minute.reduce((sum, { at }) => sum + at.length, 0)
    if (refused > entries) return err({ kind: 'unreadable-answer' })
    return ok({ lists: [joinedBars(lists.second, widths.second * 1000), joinedBars(lists.minute, widths.minute * 1000)].filter(({ at }) => at.length > 0), refused })
  }
}
