import { err, ok, type Result } from '#shared/base/result.ts'
import { addCounts, noCounts } from '#shared/sync/receipt.ts'
import type { TakenFill } from '../db/rows.ts'
import type { BrokerFailure } from '../brokers/failure.ts'
import type { FetchedFills } from '../brokers/port.ts'
import { derivedCounts, leaveOut, takenCounts, type PartSetup, type Tally } from './tally.ts'

/** Fills handed to the journal at once: enough to be fast, few enough for the bar to move and a stop to be prompt. */
const fillsAtOnce = 5_000

/** Keeps new contracts, then takes the fills in groups that no batch is split over. */
export const saveSession = async (setup: PartSetup, tally: Tally, session: FetchedFills): Promise<Result<null, BrokerFailure>> => {
  const { userId, journal, now, barrier, progress, signal, side } = setup
  const accounts = new Set<string>(tally.accounts)
  const isWanted = ({ account }: { readonly account: string }): boolean => accounts.has(account)
  const wanted = session.fills.filter(isWanted)
  leaveOut(tally, session.refused)
  const refusedFills = tally.refused.filter((row) => row.entity === 'fill').length - tally.counts.fills.refused
  tally.counts = addCounts(tally.counts, { ...noCounts, fills: { ...noCounts.fills, received: session.received - (session.fills.length - wanted.length), refused: refusedFills } })

  const contracts = session.asked.map((row) => ({ environment: side, ...row }))
  if (contracts.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.saveContracts({ userId, contracts, at: now() })))
  barrier('contracts-saved')

  let done = 0
  for (const fills of groups(wanted)) {
    if (signal.aborted) return err({ kind: 'aborted' })
    progress({ phase: 'saving', done, total: wanted.length })
    const contractsOfGroup = new Set(fills.map((fill) => fill.contract))
    const specs = session.specs.filter((spec) => contractsOfGroup.has(spec.contract))
    tally.counts = addCounts(tally.counts, takenCounts(await journal.write.takeFills({ userId, fills, specs, at: now() })))
    done += fills.length
    barrier('fills-taken')
  }
  const { stated } = session
  if (stated !== undefined) await journal.write.saveStated({ userId, stated: stated.fills.filter(isWanted), voided: stated.voided.filter(isWanted), spans: stated.spans.filter(isWanted) })
  return ok(null)
}

const groups = (fills: readonly TakenFill[]): TakenFill[][] => {
  const groups: TakenFill[][] = []
  let group: TakenFill[] = []
  for (const own of Map.groupBy(fills, (fill) => `${fill.account} ${fill.contract}`).values()) {
    if (group.length > 0 && group.length + own.length > fillsAtOnce) {
      groups.push(group)
      group = []
    }
    group = group.concat(own)
  }
  if (group.length > 0) groups.push(group)
  return groups
}
