import type { Log } from '#shared/base/log.ts'
import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { accountsOf } from './facts-in.ts'
import type { Outlet } from './orders-out.ts'
import type { Account, LineOf, OutOrder, World } from './world.ts'

/** A reading that began this long after a request was cut knows what became of it. */
const knownAfterMs = 10_000
/** What is incomplete for so long is read anew. */
const incompleteMs = 1_000
const betweenMs = 3_000

/** What reading anew works with. */
export type ReadingParts = {
  readonly world: World
  readonly outlet: Outlet
  readonly timing: Timing
  readonly leave: (account: Account, kind: CallKind) => CallLeave
  /** Told once a reading changed what is known of a line's accounts. */
  readonly read: (line: LineOf) => void
  /** An order that nobody knows of is over. */
  readonly neverArrived: (account: Account, order: OutOrder) => void
  readonly log: Log
}

const isUntold = (account: Account, orderId: number): boolean => (account.book.order(orderId)?.status ?? null) === null

/** Asks the broker for what the socket did not tell: unknown orders, missing fills, fills of ended orders. */
export type Readings = {
  /** Looks through all lines; to be called each second and after what may have left something unknown. */
  readonly look: () => void
}

/** The readings of one engine. */
export const createReadings = ({ world, outlet, timing, leave, read, neverArrived, log }: ReadingParts): Readings => {
  const incompleteSince = new Map<LineOf, number>()
  const triedAt = new Map<LineOf, number>()
  const askedFills = new WeakMap<OutOrder, number>()
  const unreadSince = new WeakMap<OutOrder, number>()

  const failed = (error: unknown): void => log.error({ error }, 'What was read could not be taken')

  const unknownOf = (accounts: readonly Account[]): { readonly account: Account; readonly order: OutOrder }[] =>
    accounts.flatMap((account) => [...account.ours.values()].filter(({ stage }) => stage === 'unknown').map((order) => ({ account, order })))

  const isIncomplete = (account: Account): boolean => account.untaken.size > 0 || account.book.contracts().some((id) => !account.book.settled(id))

  /** Orders that were taken, and of which the broker's lists tell nothing: those of a session that is over. */
  const unlistedOf = (account: Account): OutOrder[] =>
    [...account.ours.values()].filter(({ orderId, sentMs }) => orderId !== null && isUntold(account, orderId) && timing.now() - sentMs > knownAfterMs)

  /** Orders that ended and whose fills could not be asked for by themselves: the list of all fills tells them too. */
  const unreadOf = (account: Account): OutOrder[] => [...account.ours.values()].filter((order) => unreadSince.has(order))

  const settleListed = (line: LineOf, accounts: readonly Account[]): void => {
    for (const account of accounts) {
      for (const order of unlistedOf(account)) {
        if (line.listedSince > order.sentMs + knownAfterMs) outlet.end(account, order, 'cancelled', { why: 'not-listed' })
      }
      for (const order of unreadOf(account)) {
        if (order.orderId === null || line.listedSince <= (unreadSince.get(order) ?? Infinity)) continue
        unreadSince.delete(order)
        account.book.fillsRead(order.orderId)
      }
    }
  }

  const settleUnknown = (line: LineOf, accounts: readonly Account[]): void => {
    for (const { account, order } of unknownOf(accounts)) {
      if (account.book.orderOf(order.intent.clOrdId) !== null || line.listedSince < (order.cutMs ?? Infinity) + knownAfterMs) continue
      outlet.end(account, order, 'never-arrived')
      neverArrived(account, order)
    }
  }

  const readAll = async (line: LineOf, accounts: readonly Account[]): Promise<void> => {
    const [first] = accounts
    if (line.reading || first === undefined || !leave(first, 'reduce').ok) return
    line.reading = true
    const began = timing.now()
    try {
      if (await line.line.readAnew()) {
        line.listedSince = began
        settleUnknown(line, accounts)
        settleListed(line, accounts)
        read(line)
      }
    } finally {
      line.reading = false
    }
  }

  const readFills = (line: LineOf, account: Account): void => {
    const now = timing.now()
    for (const order of account.ours.values()) {
      const { orderId, ended } = order
      if (orderId === null || !ended) continue
      // The fills of an order that filled are on their way, beside its end; of any other nobody says whether one is.
      if (!askedFills.has(order) && account.book.order(orderId)?.status === 'Filled') askedFills.set(order, now - betweenMs + incompleteMs)
      if (now - (askedFills.get(order) ?? 0) < betweenMs || !leave(account, 'reduce').ok) continue
      askedFills.set(order, now)
      void line.line.fillsOf(orderId).then((fills) => {
        if (fills === null) {
          if (!unreadSince.has(order)) unreadSince.set(order, now)
          return
        }
        unreadSince.delete(order)
        account.book.fillsRead(orderId)
        read(line)
      }).catch(failed)
    }
  }

  const lookAt = (line: LineOf): void => {
    if (line.state !== 'up') return
    const now = timing.now()
    const accounts = [...accountsOf(world, line).values()]
    for (const account of accounts) readFills(line, account)
    if (!accounts.some(isIncomplete)) incompleteSince.delete(line)
    else if (!incompleteSince.has(line)) incompleteSince.set(line, now)
    const since = incompleteSince.get(line)
    const incomplete = since !== undefined && now - since >= incompleteMs
    // Soon after the cut, since it nearly always arrived; then once more when a reading proves the contrary.
    const unknown = unknownOf(accounts).some(({ order: { cutMs } }) => cutMs !== null && (line.listedSince < cutMs || now >= cutMs + knownAfterMs))
    const missing = accounts.some((account) => unlistedOf(account).length > 0 || unreadOf(account).length > 0)
    if ((!incomplete && !unknown && !missing) || now - (triedAt.get(line) ?? 0) < betweenMs) return
    triedAt.set(line, now)
    readAll(line, accounts).catch(failed)
  }

  return { look: () => { for (const line of world.lines.values()) lookAt(line) } }
}
