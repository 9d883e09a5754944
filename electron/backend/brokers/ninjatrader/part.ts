import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { accountWithoutFirm } from '#shared/imports/row-cells.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { BrokerPosition } from '#shared/sync/holdings.ts'
import type { BrokerFailure } from '../failure.ts'
import type { BrokerageLogin, BrokeragePart, FetchedFills, ListedAccount, PartAsk } from '../port.ts'
import { accountKey, accountsIn, fillsIn, instrumentsIn, isReachedElsewhere, sideOf, underOwnIds, type FoundAccount, type FoundFills } from './executions.ts'
import { signatureOf, takeSnapshot, type DatabaseProblem, type Snapshot } from './snapshot.ts'

/** Sessions that are over are read again: NinjaTrader writes executions late that it missed while it was away. */
const sessionsReadAgain = 5

/** What NinjaTrader's database is, where copies of it may lie, and since when it is connected (UTC ms). */
export type DatabasePlace = { readonly file: string; readonly folder: string; readonly connectedAt: number }

const failure = (problem: DatabaseProblem): BrokerFailure => ({ kind: 'database', problem })

/** NinjaTrader's own database as a login: runs read a copy, which is made again where the database has changed. */
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
    // What is written while it is copied makes another signature, so that the next run copies again.
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

const failedPart = (why: BrokerFailure): BrokeragePart => {
  const failed = () => Promise.resolve(err(why))
  return { accounts: failed, balances: failed, session: failed }
}

const ninjatraderPart = (snapshot: Snapshot, connectedAt: number, { side, now, known, failed }: PartAsk): BrokeragePart => {
  const found = new Map(accountsIn(snapshot).filter((account) => sideOf(account) === side).map((account): [AccountKey, FoundAccount] => [accountKey(account), account]))
  const instruments = instrumentsIn(snapshot)
  const read = async (key: AccountKey, span: { readonly from: number; readonly to: number }): Promise<FoundFills | null> => {
    const account = found.get(key)
    if (account === undefined) return null
    const part = fillsIn(snapshot, instruments, account, span)
    return { ...part, fills: underOwnIds(part.fills, await known.fills([key], part.fills.map(({ id }) => id))) }
  }
  const fetched = (parts: readonly FoundFills[]): FetchedFills => {
    const specs = [...new Map(parts.flatMap((part) => part.specs).map((spec) => [spec.contract, spec])).values()]
    return {
      fills: parts.flatMap(({ fills }) => fills),
      specs,
      asked: [],
      received: parts.reduce((sum, { received }) => sum + received, 0),
      refused: parts.flatMap(({ refused }) => refused),
    }
  }
  /** What NinjaTrader says it held after the last fill of a session, by contract. */
  const positionsOf = (account: AccountKey, tradeDate: string, { fills, positions }: FoundFills): BrokerPosition[] => {
    const { opens } = sessionOf(tradeDate)
    return [...Map.groupBy(fills.filter(({ time }) => time >= opens), ({ contract }) => contract)].flatMap(([contract, own]) => {
      const net = positions.get(contract)
      const sum = (side: 'buy' | 'sell'): number => own.reduce((total, fill) => total + (fill.side === side ? fill.qty : 0), 0)
      const [bought, sold] = [sum('buy'), sum('sell')]
      return net === undefined ? [] : [{ account, contract, tradeDate, time: own.at(-1)?.time ?? opens, net, carried: net - bought + sold, bought, sold }]
    })
  }
  return {
    // The accounts that were there when it was connected were chosen or left out then; later ones come by themselves once they trade.
    accounts: async () => {
      const elsewhere = await known.namesElsewhere('ninjatrader')
      return ok([...found].map(([key, account]): ListedAccount => {
        const { name, simulated, first } = account
        return { key, environment: side, brokerAccountId: name, name: accountWithoutFirm(name), closed: simulated || first === null || first < connectedAt || isReachedElsewhere(account, elsewhere) }
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
      const parts = new Map<AccountKey, FoundFills>()
      for (const account of accounts) {
        const part = await read(account, { from: sessionOf(first).listedUntil, to: Infinity })
        if (part !== null) parts.set(account, part)
        // It was renamed, or another database has come: nothing of it is read any more.
        else failed({ kind: 'database', problem: 'account-missing' })
      }
      const all = fetched([...parts.values()])
      return ok({
        ...all,
        ...{ askedAt, tradeDate, refusedOfAny: false },
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
