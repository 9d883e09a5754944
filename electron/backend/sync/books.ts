import type { AccountKey } from '#shared/fills/fill.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import { agreeingPairs, carriedLots, comparePosition, sessionStart, type BrokerPair, type BrokerPosition, type HeldFacts, type HoldingTrouble } from '#shared/sync/holdings.ts'
import { addCounts } from '#shared/sync/receipt.ts'
import type { TakenFill } from '../db/rows.ts'
import type { BrokerBooks, FetchedSession } from '../brokers/port.ts'
import { derivedCounts, type PartSetup, type Tally } from './tally.ts'

const keyOf = ({ account, contract }: { readonly account: AccountKey; readonly contract: string }): string => `${account}\n${contract}`

/**
 * Compares the broker's own books with the saved fills: creates fills for lots that it carried into the session from its
 * pairs, saves its positions as known, and where the two differ, reports the contract and marks its trades.
 */
export const compareBooks = async (setup: PartSetup, tally: Tally, fetched: FetchedSession): Promise<void> => {
  const { userId, journal, now } = setup
  const { books, contracts } = fetched
  if (books === null) return markUnverified(setup, tally, fetched)
  const tradeDate = fetched.tradeDate ?? (tally.askedAt === null ? null : tradingDay(tally.askedAt))
  if (tradeDate === null) return
  const opens = sessionOf(tradeDate).opens - 1
  const isOurs = ({ account }: { readonly account: AccountKey }): boolean => tally.listed.has(account)
  const stated = books.positions.filter(isOurs)
  const factsOf = (positions: readonly BrokerPosition[]): Promise<HeldFacts[]> => journal.read.heldFacts({ userId, holdings: positions.map(({ account, contract, tradeDate: day }) => ({ account, contract, tradeDate: day })) })

  const held = new Set(stated.map(keyOf))
  // A broker that lists no position of a contract has none, unless a row could not be read.
  const open = books.isWhole ? (await journal.read.openHoldings({ userId, accounts: [...tally.listed], since: opens })).filter((holding) => !held.has(keyOf(holding))) : []
  const unstated = open.map(({ account, contract }): BrokerPosition => ({ account, contract, tradeDate, time: 0, net: 0, carried: 0, bought: 0, sold: 0 }))
  const lots = await carriedFills(setup, books, stated, await factsOf(stated))
  if (lots.length > 0) tally.counts = addCounts(tally.counts, derivedCounts(await journal.write.takeFills({ userId, fills: lots, specs: contracts, at: now() })))
  const fromPairs = new Set(lots.map(keyOf))

  const positions = [...stated, ...unstated]
  const facts = await factsOf(positions)
  const after = fetched.positions?.filter(isOurs) ?? []
  const known: KnownPosition[] = after.flatMap(({ positions: own }) => own)
  // Positions after each fill tell exactly which trades a missing one leaves in doubt.
  const followed = new Set(known.map(keyOf))
  const missing: MissingFill[] = []
  const agreeing: { readonly position: BrokerPosition; readonly start: number }[] = []
  for (const [index, position] of positions.entries()) {
    const fact = facts[index]
    if (fact === undefined) continue
    const { account, contract } = position
    const start = sessionStart(position.tradeDate, fact.first)
    const isStated = index < stated.length
    const troubles = isStated ? comparePosition(position, fact) : unstatedTroubles(position, fact)
    // If the lists were still changing they need not agree: only the position at the session's start is certain.
    const was = troubles.some(({ kind }) => kind === 'carried') ? await journal.read.apartBefore({ userId, account, contract, time: start }) : null
    // A difference from an earlier session that is flat by now concerns no trade.
    const isPast = position.carried === 0 && was === -fact.before
    const sure = troubles.filter(({ kind }) => (kind === 'carried' ? !isPast : !books.moving))
    tally.holdings.push(...sure)
    if (troubles.length === 0 && isStated) agreeing.push({ position, start })
    if (isStated) known.push({ account, contract, time: start, net: position.carried })
    if (!books.moving) known.push({ account, contract, time: Math.max(position.time, fact.last ?? start), net: position.net })
    if (!followed.has(keyOf(position)) && sure.some(({ kind }) => kind === 'fills-missing' || kind === 'position-differs')) missing.push({ account, contract, time: start + 1 })
    if (sure.some(({ kind }) => kind === 'fills-missing')) tally.lacking.add(account)
    // If the difference is new since the last known position, the session before this one lacks fills.
    if (sure.some(({ kind }) => kind === 'carried') && was !== null && was !== position.carried - fact.before) await journal.write.noteLacking({ userId, account, tradingDay: previousTradingDay(position.tradeDate) })
  }
  const keep = async (): Promise<void> => {
    for (const account of tally.listed) {
      const [positionsOf, missingOf] = [[...new Map(known.filter((row) => row.account === account).map((row) => [`${row.contract} ${String(row.time)}`, row])).values()], missing.filter((row) => row.account === account)]
      const from = Math.min(opens, ...after.filter((span) => span.account === account).map((span) => span.from), ...positionsOf.map(({ time }) => time))
      await journal.write.keepEvidence({ userId, at: now(), account, source: 'broker', from, to: Number.MAX_SAFE_INTEGER, positions: positionsOf.map(({ contract, time, net }) => ({ contract, time, net })), missing: missingOf.map(({ contract, time }) => ({ contract, time })) })
    }
  }
  await keep()
  // Pairs are compared only now, when they are derived from the positions saved above.
  for (const { position, start } of agreeing) {
    const { account, contract, carried } = position
    const differing = books.moving || !books.pairsRead ? [] : await pairTroubles(setup, books, position)
    tally.holdings.push(...differing)
    if (differing.length > 0) missing.push({ account, contract, time: start + 1 })
    else if (fromPairs.has(keyOf(position))) tally.holdings.push({ account, contract, kind: 'carried-from-pairs', broker: carried, ours: carried })
  }
  if (missing.length > 0) await keep()
}

/** Marks trades since the last sync, or of an account's first session, if the broker's positions could not be read: a fill may be missing, or may have closed an unknown lot. */
const markUnverified = async ({ userId, loginId, side, journal, now }: PartSetup, tally: Tally, { fills, tradeDate }: FetchedSession): Promise<void> => {
  if (tradeDate === null) return
  const accounts = await journal.read.accountsOfLogin({ userId, loginId })
  for (const { key: account, lastSyncAt } of accounts.filter(({ key, environment }) => environment === side && tally.listed.has(key))) {
    const times = fills.filter((fill) => fill.account === account && fill.time > (lastSyncAt ?? 0)).map(({ time }) => time)
    if (times.length === 0) continue
    const first = times.reduce((one, other) => Math.min(one, other))
    const from = lastSyncAt === null ? sessionStart(tradeDate, first) : first - 1
    await journal.write.keepEvidence({ userId, at: now(), account, source: 'broker', from, to: Number.MAX_SAFE_INTEGER, positions: [], missing: [{ contract: null, time: from + 1 }] })
  }
}

const unstatedTroubles = ({ account, contract }: BrokerPosition, { before, bought, sold }: HeldFacts): HoldingTrouble[] => {
  const ours = before + bought - sold
  return ours === 0 ? [] : [{ account, contract, kind: 'position-differs', broker: 0, ours }]
}

/** The fills that opened carried positions, as far as fill pairs of this session and earlier ones name them. Their quantity is a minimum, and their time, if unknown, just before the session. */
const carriedFills = async ({ userId, journal }: PartSetup, { pairs }: BrokerBooks, positions: readonly BrokerPosition[], facts: readonly HeldFacts[]): Promise<TakenFill[]> => {
  const carried = positions.filter((position) => position.carried !== 0)
  if (carried.length === 0) return []
  const accounts = [...new Set(carried.map(({ account }) => account))]
  const ids = [...new Set(pairs.flatMap(({ buyFillId, sellFillId }) => [buyFillId, sellFillId]))]
  const kept = new Map((await journal.read.knownFills({ userId, accounts, ids })).map((fill) => [`${fill.account}/${fill.id}`, fill]))
  const isKnown = (account: AccountKey, id: string): boolean => (kept.get(`${account}/${id}`)?.source ?? 'pairs-file') !== 'pairs-file'
  const factOf = new Map(facts.map((fact) => [keyOf(fact), fact]))
  return Promise.all(carriedLots(carried, pairs, isKnown).map(async ({ account, contract, tradeDate, id, side, qty, price }): Promise<TakenFill> => {
    const before = kept.get(`${account}/${id}`)
    // Only the pairs of earlier sessions show what those closed of it.
    const closed = before === undefined ? 0 : await journal.read.closedBesides({ userId, account, contract, tradeDate, id })
    const start = sessionStart(tradeDate, factOf.get(keyOf({ account, contract }))?.first ?? null)
    // It was opened when the broker's position first exceeded ours, which may be sessions ago.
    const time = before?.time ?? (await journal.read.apartSince({ userId, account, contract, time: start, side })) ?? start
    return { id, account, contract, time, side, qty: Math.max(before?.qty ?? 0, qty + closed), price, fee: null, active: true, source: 'pairs-file', orderId: null, contractId: null, tradeDate: previousTradingDay(tradeDate) }
  }))
}

const pairTroubles = async ({ userId, journal }: PartSetup, { pairs }: BrokerBooks, { account, contract, tradeDate }: BrokerPosition): Promise<HoldingTrouble[]> => {
  const stated = pairs.filter((pair: BrokerPair) => pair.account === account && pair.contract === contract && pair.tradeDate === tradeDate)
  const { broker, ours, isSame } = agreeingPairs(stated, await journal.read.pairsOfSession({ userId, account, contract, tradeDate }))
  return isSame ? [] : [{ account, contract, kind: 'pairs-differ', broker, ours }]
}
