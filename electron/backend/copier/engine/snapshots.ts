import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import type { CashNow } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { isUp, lineOf, type Account, type World } from './world.ts'

/** Each login is asked for the open P&L of one account at most so often. */
const pollMs = 1_000
/** A snapshot is good for so long. */
const freshMs = 5_000

/** What asking for snapshots works with. `heard` is told of an account whose snapshot came. */
export type SnapshotParts = {
  readonly world: World
  readonly timing: Timing
  readonly leave: (account: Account, kind: CallKind) => CallLeave
  readonly heard: (account: Account) => void
}

/** The broker's own word on open P&L, asked for as seldom as it is enough. */
export type Snapshots = {
  /** Asks for those of these accounts that hold something, when their turn comes. */
  readonly want: (accounts: Iterable<Account>) => void
  /** Asks for the oldest of each login, of all that were wanted since the last look. */
  readonly look: () => void
}

/** What an account holds, and how it came there, as one word. The broker's clock and ours differ, so that times do not tell whether a snapshot is of these positions. */
export const positionsOf = ({ book }: Account): string => book.contracts().map((id) => [id, book.net(id), book.row(id)?.bought ?? '', book.row(id)?.sold ?? ''].join(' ')).join(',')

/** The snapshot of an account, where it speaks of just what is held. */
export const snapshotOf = (account: Account): Account['open'] => (account.open?.positions === positionsOf(account) ? account.open : null)

const amountIn = (value: number | null): Amount | null => {
  const read = value === null ? null : parseAmount(value, 'half-even')
  return read?.ok === true ? read.value : null
}

/** What is open by a snapshot; the broker leaves it out where it is nothing, and tells it by the rest. */
const openIn = ({ openPnl, netLiq, totalCash }: CashNow): Amount | null => {
  const [open, equity, cash] = [amountIn(openPnl), amountIn(netLiq), amountIn(totalCash)]
  return open ?? (equity === null || cash === null ? null : amountOf(equity - cash))
}

/** The snapshots of one engine. */
export const createSnapshots = ({ world, timing, leave, heard }: SnapshotParts): Snapshots => {
  const polledAt = new Map<string, number>()
  const askedAt = new Map<string, number>()
  let wanted = new Set<Account>()

  const ask = (account: Account, now: number): void => {
    polledAt.set(account.loginId, now)
    askedAt.set(account.key, now)
    const positions = positionsOf(account)
    void lineOf(world, account)?.line.cashOf(account.id).then((cash) => {
      const pnl = cash === null ? null : openIn(cash)
      if (pnl === null) return
      account.open = { pnl, at: now, positions }
      heard(account)
    })
  }

  return {
    want: (accounts) => {
      for (const account of accounts) wanted.add(account)
    },
    look: () => {
      const now = timing.now()
      const oldest = new Map<string, Account>()
      for (const account of wanted) {
        if (!isUp(world, account) || !account.book.contracts().some((id) => account.book.net(id) !== 0)) continue
        const best = oldest.get(account.loginId)
        if (best === undefined || (askedAt.get(account.key) ?? 0) < (askedAt.get(best.key) ?? 0)) oldest.set(account.loginId, account)
      }
      wanted = new Set()
      for (const [loginId, account] of oldest) {
        if (now - (polledAt.get(loginId) ?? 0) < pollMs || now - (askedAt.get(account.key) ?? 0) < freshMs || !leave(account, 'poll').ok) continue
        ask(account, now)
      }
    },
  }
}
