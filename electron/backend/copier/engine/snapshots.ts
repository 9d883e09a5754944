import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import type { CashNow } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/timing.ts'
import { isCurrent, lineOf, type Account, type World } from './world.ts'

/** Minimum interval between open P&L requests per login. */
const pollMs = 1_000
/** How long a snapshot is fresh. */
const freshMs = 5_000

/** Dependencies of snapshots. `received` is called with an account whose snapshot arrived. */
export type SnapshotDeps = {
  readonly world: World
  readonly timing: Timing
  readonly takeCall: (account: Account, kind: CallKind) => CallAllowance
  readonly received: (account: Account) => void
}

/** A fingerprint of an account's positions and trades. Broker and local clocks differ, so times cannot show whether a snapshot matches the positions. */
export const positionsOf = ({ book }: Account): string => book.contracts().map((id) => [id, book.net(id), book.row(id)?.bought ?? '', book.row(id)?.sold ?? ''].join(' ')).join(',')

/** An account's snapshot if it matches the current positions. */
export const snapshotOf = (account: Account): Account['open'] => (account.open?.positions === positionsOf(account) ? account.open : null)

const amountIn = (value: number | null): Amount | null => {
  const read = value === null ? null : parseAmount(value, 'half-even')
  return read?.ok === true ? read.value : null
}

/** A snapshot's open P&L; the broker omits 0, which the other fields then imply. */
const openIn = ({ openPnl, netLiq, totalCash }: CashNow): Amount | null => {
  const [open, equity, cash] = [amountIn(openPnl), amountIn(netLiq), amountIn(totalCash)]
  return open ?? (equity === null || cash === null ? null : amountOf(equity - cash))
}

/** The broker's own open P&L, requested as rarely as possible. */
export const createSnapshots = ({ world, timing, takeCall, received }: SnapshotDeps) => {
  const polledAt = new Map<string, number>()
  const askedAt = new Map<string, number>()
  let wanted = new Set<Account>()

  const ask = (account: Account, now: number): void => {
    polledAt.set(account.loginId, now)
    askedAt.set(account.key, now)
    const positions = positionsOf(account)
    void lineOf(world, account)?.connection.cashOf(account.id).then((cash) => {
      const pnl = cash === null ? null : openIn(cash)
      if (pnl === null) return
      account.open = { pnl, at: now, positions }
      received(account)
    })
  }

  return {
    /** Queues those of these accounts that have positions. */
    want: (accounts: Iterable<Account>): void => {
      for (const account of accounts) wanted.add(account)
    },
    /** Requests the stalest queued account of each login. */
    look: (): void => {
      const now = timing.now()
      const oldest = new Map<string, Account>()
      for (const account of wanted) {
        if (!isCurrent(world, account) || !account.book.contracts().some((id) => account.book.net(id) !== 0)) continue
        const best = oldest.get(account.loginId)
        if (best === undefined || (askedAt.get(account.key) ?? 0) < (askedAt.get(best.key) ?? 0)) oldest.set(account.loginId, account)
      }
      wanted = new Set()
      for (const [loginId, account] of oldest) {
        if (now - (polledAt.get(loginId) ?? 0) < pollMs || now - (askedAt.get(account.key) ?? 0) < freshMs || !takeCall(account, 'poll').ok) continue
        ask(account, now)
      }
    },
  }
}
