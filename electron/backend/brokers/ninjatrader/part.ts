import { isDeepStrictEqual } from 'node:util'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import { accountWithoutFirm } from '#shared/imports/row-cells.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { BrokerPosition } from '#shared/sync/holdings.ts'
import { isFrequent } from '#shared/sync/plan.ts'
import type { BrokerFailure } from '../failure.ts'
import type { BrokerageLogin, BrokeragePart, FetchedFills, ListedAccount, PartAsk, SessionFees } from '../port.ts'
import { accountKey, accountsIn, feesOf, fillsIn, inOrder, instrumentsIn, isReachedElsewhere, environmentOf, underKnownIds, newOrChanged, withoutAccount, type FoundAccount, type FoundFills } from './executions.ts'
import { signatureOf, takeSnapshot, type DatabaseProblem, type Snapshot } from './snapshot.ts'

/** Past sessions that each run reads again: NinjaTrader writes executions late that it missed while it was offline. Of older sessions, runs that are not frequent take only new and changed executions. */
const sessionsReadAgain = 5

/** Past days that are read at once. */
const daysAtOnce = 28

/** Stretches of whole sessions from an account's first execution until a moment, UTC ms. */
function* spansUntil(first: number | null, until: number): Generator<{ readonly from: number; readonly to: number }> {
  if (first === null) return
  let from = 0
  for (let day = dayOfDate(tradingDay(first)) + daysAtOnce; from < until; day += daysAtOnce) {
    const to = Math.min(sessionOf(previousTradingDay(isoDate(day))).listedUntil, until)
    yield { from, to }
    from = to
  }
}

/** NinjaTrader's database file, the folder for copies of it, and since when it is connected (UTC ms). */
export type DatabasePlace = { readonly file: string; readonly folder: string; readonly connectedAt: number }

const failure = (problem: DatabaseProblem): BrokerFailure => ({ kind: 'database', problem })

/** NinjaTrader's own database as a login: runs read a copy, which is made again if the database has changed. */
export const ninjatraderLogin = ({ file, folder, connectedAt }: DatabasePlace): BrokerageLogin & { readonly close: () => void } => {
  let current: { readonly signature: string; readonly snapshot: Snapshot } | null = null
  const close = (): void => {
    current?.snapshot.close()
    current = null
  }
  const refresh = (): Result<Snapshot, BrokerFailure> => {
    const signature = signatureOf(file)
    if (signature !== null && current?.signature === signature) return ok(current.snapshot)
    const taken = takeSnapshot(file, folder)
    if (!taken.ok) return err(failure(taken.error))
    close()
    // A write during the copy changes the signature, so that the next run copies again.
    current = { signature: signature ?? '', snapshot: taken.value }
    return ok(taken.value)
  }
  return {
    close,
    prepare: () => {
      const fresh = refresh()
      return Promise.resolve(fresh.ok ? null : fresh.error)
    },
    part: (ask) => {
      const held = current?.snapshot
      return held === undefined ? failedPart(failure('missing')) : ninjatraderPart(held, connectedAt, ask)
    },
  }
}

/** Fills in order, those that the journal has twice, and the positions that NinjaTrader states. */
type ReadSessions = FoundFills & { readonly doubles: FetchedFills['fills']; readonly positions: NonNullable<FetchedFills['positions']>[number] }

const failedPart = (why: BrokerFailure): BrokeragePart => {
  const failed = () => Promise.resolve(err(why))
  return { accounts: failed, balances: failed, session: failed }
}

const ninjatraderPart = (snapshot: Snapshot, connectedAt: number, { environment, trigger, now, known, leaveOut, failed }: PartAsk): BrokeragePart => {
  const found = new Map(accountsIn(snapshot).filter((account) => environmentOf(account) === environment).map((account): [AccountKey, FoundAccount] => [accountKey(account), account]))
  const instruments = instrumentsIn(snapshot)
  const read = async (key: AccountKey, span: { readonly from: number; readonly to: number }): Promise<ReadSessions | null> => {
    const account = found.get(key)
    if (account === undefined) return null
    const part = fillsIn(snapshot, instruments, account, span)
    const ids = [...new Set(part.ownIds)]
    const kept = [...(await known.fills([key], ids)), ...(await known.twins([key], ids))]
    const { doubles, ...own } = underKnownIds(part, kept)
    const { fills, positions } = inOrder({ ...part, ...own })
    return { ...part, fills, doubles, positions: { account: key, from: span.from, to: Math.min(span.to - 1, Number.MAX_SAFE_INTEGER), positions } }
  }
  // A day may be read twice in a run: its unreadable rows are reported once.
  const named = new Set<string>()
  const isNew = (name: string): boolean => {
    const isKnown = named.has(name)
    named.add(name)
    return !isKnown
  }
  const fetched = (parts: readonly ReadSessions[]): FetchedFills => {
    const specs = [...new Map(parts.flatMap((part) => part.specs).map((spec) => [spec.contract, spec])).values()]
    const fills = parts.flatMap((part) => [...part.fills, ...part.doubles])
    const refused = parts.flatMap((part) => part.refused.filter(({ id }) => isNew(`${part.positions.account} ${String(id)}`)))
    return {
      fills, specs, refused,
      asked: [],
      received: fills.length + refused.length,
      positions: parts.map(({ positions }) => positions),
    }
  }
  /** Fees that an earlier run read in the fills' sessions, by fill, and the sessions whose fees have changed since. */
  const feesSince = async (account: AccountKey, fills: FetchedFills['fills']): Promise<{ readonly before: SessionFees['fees']; readonly others: readonly SessionFees[] }> => {
    const sessions = feesOf(account, fills)
    const before = new Map((await known.readFees(account, sessions.map((session) => session.tradingDay))).map((session) => [session.tradingDay, session.fees]))
    return { before: Object.assign({}, ...before.values()) as SessionFees['fees'], others: sessions.filter((session) => !isDeepStrictEqual(session.fees, before.get(session.tradingDay))) }
  }
  /** NinjaTrader's positions after the last fill of a session, by contract. What changed without an execution counts as traded. */
  const positionsOf = (account: AccountKey, tradeDate: string, { fills, netAfter }: ReadSessions): BrokerPosition[] => {
    const { opens } = sessionOf(tradeDate)
    const ofSession = fills.flatMap((fill, index) => (fill.time >= opens ? [{ ...fill, net: netAfter[index] ?? null }] : [])).sort(compareFills)
    return [...Map.groupBy(ofSession, ({ contract }) => contract)].flatMap(([contract, own]) => {
      const stated = own.flatMap(({ side, qty, net }) => (net === null ? [] : [{ net, before: net - (side === 'buy' ? qty : -qty) }]))
      const [first, last] = [stated[0], stated.at(-1)]
      const sum = (side: 'buy' | 'sell'): number => own.reduce((total, fill) => total + (fill.side === side ? fill.qty : 0), 0)
      const [bought, sold] = [sum('buy'), sum('sell')]
      if (first === undefined || last === undefined) return []
      const carried = stated.length === own.length ? first.before : last.net - bought + sold
      const unread = last.net - carried - bought + sold
      return [{ account, contract, tradeDate, time: own.at(-1)?.time ?? opens, net: last.net, carried, bought: bought + Math.max(unread, 0), sold: sold + Math.max(-unread, 0) }]
    })
  }
  return {
    // The accounts that were there when it was connected were chosen or left out then; later ones come by themselves once they trade.
    accounts: async () => {
      // They belong to neither side: one of them names them.
      if (environment === 'live' && !isFrequent(trigger)) leaveOut(withoutAccount(snapshot))
      const elsewhere = await known.namesElsewhere('ninjatrader')
      return ok([...found].map(([key, account]): ListedAccount => {
        const { name, simulated, first } = account
        return { key, environment, brokerAccountId: name, name: accountWithoutFirm(name), closed: simulated || first === null || first < connectedAt || isReachedElsewhere(account, elsewhere) }
      }))
    },
    balances: () => Promise.resolve(ok([])),
    firstDay: (account) => {
      const first = found.get(account)?.first ?? null
      return first === null ? null : tradingDay(first)
    },
    past: async (account, days) => {
      const part = await read(account, { from: sessionOf(previousTradingDay(days.from)).listedUntil, to: sessionOf(days.to).listedUntil })
      return ok(fetched(part === null ? [] : [part]))
    },
    session: async (accounts) => {
      const askedAt = now()
      const tradeDate = tradingDay(askedAt)
      let first = tradeDate
      for (let count = 0; count <= sessionsReadAgain; count += 1) first = previousTradingDay(first)
      const from = sessionOf(first).listedUntil
      const parts = new Map<AccountKey, ReadSessions>()
      const changed: ReadSessions[] = []
      const readFees: SessionFees[] = []
      for (const account of accounts) {
        const part = await read(account, { from, to: Infinity })
        if (part !== null) parts.set(account, part)
        // It was renamed, or another database has come: nothing of it is read any more.
        else failed({ kind: 'database', problem: 'account-missing' })
        if (isFrequent(trigger)) continue
        if (part !== null) readFees.push(...(await feesSince(account, part.fills)).others)
        for (const span of spansUntil(found.get(account)?.first ?? null, from)) {
          const before = await read(account, span)
          if (before === null) continue
          const kept = await known.fills([account], [...before.fills, ...before.doubles].map(({ id }) => id))
          const fees = await feesSince(account, before.fills)
          readFees.push(...fees.others)
          changed.push({ ...before, ownIds: [], netAfter: [], fills: newOrChanged(before.fills, before.specs, kept, fees.before), doubles: newOrChanged(before.doubles, before.specs, kept) })
        }
      }
      const all = fetched([...changed, ...parts.values()])
      return ok({
        ...all,
        askedAt, tradeDate, readFees, refusedOfAny: false,
        refusedOf: new Set([...parts].filter(([, { refused }]) => refused.length > 0).map(([account]) => account)),
        answered: new Set(all.fills.map(({ id }) => id)),
        contracts: all.specs,
        // It states positions after executions alone, and no fill pairs.
        books: { positions: [...parts].flatMap(([account, part]) => positionsOf(account, tradeDate, part)), pairs: [], isWhole: false, pairsRead: false, moving: false },
        feesSettled: askedAt >= sessionOf(tradeDate).closes,
      })
    },
  }
}
