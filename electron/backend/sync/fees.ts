import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { addCounts } from '#shared/sync/receipt.ts'
import type { BrokeragePart } from '../brokers/port.ts'
import { derivedCounts, type PartSetup, type Tally } from './tally.ts'

/** How far back sessions are looked for whose fees nobody read after their end, in days. */
const daysBack = 7

/**
 * Asks once more for the fees of sessions that are over and that no run read after their end. A broker that does not know
 * them any more is not asked again: what it said last stays until a report of it says more.
 */
export const settleFees = async ({ userId, side, journal, now }: PartSetup, tally: Tally, bookedSince: NonNullable<BrokeragePart['bookedSince']>): Promise<void> => {
  const today = tradingDay(now())
  const sessions = await journal.read.unsettledSessions({ userId, accounts: tally.accounts, since: isoDate(dayOfDate(today) - daysBack), before: today })
  for (const { account, tradingDay: day, fills } of sessions) {
    const counting = fills.filter(({ active }) => active)
    const contracts = await journal.read.knownContracts({ userId, environment: side, brokerContractIds: [...new Set(counting.flatMap(({ contractId }) => contractId ?? []))] })
    const specs = new Map(contracts.map(({ spec }) => [spec.contract, spec]))
    const booked = await bookedSince(counting, specs)
    if (!booked.ok) {
      if (booked.error.kind !== 'aborted') tally.failures.push(booked.error)
      return
    }
    if (booked.value === null) return
    if (booked.value.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.takeFills({ userId, fills: booked.value, specs: [...specs.values()], at: now() })))
    await journal.write.noteSettled({ userId, account, tradingDay: day })
  }
}
