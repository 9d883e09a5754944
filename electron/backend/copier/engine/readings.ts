import type { Log } from '#shared/base/log.ts'
import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import type { Timing } from '../../brokers/timing.ts'
import { accountsOf } from './fact-intake.ts'
import type { OrderGateway } from './order-gateway.ts'
import type { Account, RoutedLine, CopierOrder, World } from './world.ts'

/** A read that begins this long after a cut request knows its outcome. */
const knownAfterMs = 10_000
/** State incomplete for this long is reread. */
const incompleteMs = 1_000
const betweenMs = 3_000

/** Dependencies of rereading. */
export type ReadingDeps = {
  readonly world: World
  readonly gateway: OrderGateway
  readonly timing: Timing
  readonly takeCall: (account: Account, kind: CallKind) => CallAllowance
  /** Called after a read changed a line's accounts. */
  readonly read: (line: RoutedLine) => void
  /** Called when an order of an account turned out never to have arrived. */
  readonly neverArrived: (account: Account) => void
  readonly log: Log
}

const isUnreported = (account: Account, orderId: number): boolean => (account.book.order(orderId)?.status ?? null) === null

/**
 * Reads what the socket did not deliver: unknown orders, missing fills, fills of ended orders. Returns the check of all lines; call it every second
 * and after anything that may leave gaps.
 */
export const createReadings = ({ world, gateway, timing, takeCall, read, neverArrived, log }: ReadingDeps): (() => void) => {
  const incompleteSince = new Map<RoutedLine, number>()
  const triedAt = new Map<RoutedLine, number>()
  const askedFills = new WeakMap<CopierOrder, number>()
  const unreadSince = new WeakMap<CopierOrder, number>()

  const failed = (error: unknown): void => log.error({ error }, 'applying a read failed')

  const unknownOf = (accounts: readonly Account[]): { readonly account: Account; readonly order: CopierOrder }[] =>
    accounts.flatMap((account) => [...account.ours.values()].filter(({ stage }) => stage === 'unknown').map((order) => ({ account, order })))

  const isIncomplete = (account: Account): boolean => account.uncounted.size > 0 || account.book.contracts().some((id) => !account.book.settled(id))

  /** Accepted orders missing from the broker's lists: those of an earlier session. */
  const unlistedOf = (account: Account): CopierOrder[] =>
    [...account.ours.values()].filter(({ orderId, sentMs }) => orderId !== null && isUnreported(account, orderId) && timing.now() - sentMs > knownAfterMs)

  /** Ended orders whose fills could not be read individually: the full fill list has them too. */
  const unreadOf = (account: Account): CopierOrder[] => [...account.ours.values()].filter((order) => unreadSince.has(order))

  const settleListed = (line: RoutedLine, accounts: readonly Account[]): void => {
    for (const account of accounts) {
      for (const order of unlistedOf(account)) {
        if (line.listedSince > order.sentMs + knownAfterMs) gateway.end(account, order, 'cancelled', { why: 'not-listed' })
      }
      for (const order of unreadOf(account)) {
        if (order.orderId === null || line.listedSince <= (unreadSince.get(order) ?? Infinity)) continue
        unreadSince.delete(order)
        account.book.fillsRead(order.orderId)
      }
    }
  }

  const settleUnknown = (line: RoutedLine, accounts: readonly Account[]): void => {
    for (const { account, order } of unknownOf(accounts)) {
      if (account.book.orderOf(order.intent.clOrdId) !== null || line.listedSince < (order.cutMs ?? Infinity) + knownAfterMs) continue
      gateway.end(account, order, 'never-arrived')
      neverArrived(account)
    }
  }

  const readAll = async (line: RoutedLine, accounts: readonly Account[]): Promise<void> => {
    const [first] = accounts
    if (line.reading || first === undefined || !takeCall(first, 'reduce').ok) return
    line.reading = true
    const began = timing.now()
    try {
      if (await line.connection.readAnew()) {
        line.listedSince = began
        settleUnknown(line, accounts)
        settleListed(line, accounts)
        read(line)
      }
    } finally {
      line.reading = false
    }
  }

  const readFills = (line: RoutedLine, account: Account): void => {
    const now = timing.now()
    for (const order of account.ours.values()) {
      const { orderId, ended } = order
      if (orderId === null || !ended) continue
      // A filled order's fills are on their way; for any other end it is unknown whether one is.
      if (!askedFills.has(order) && account.book.order(orderId)?.status === 'Filled') askedFills.set(order, now - betweenMs + incompleteMs)
      if (now - (askedFills.get(order) ?? 0) < betweenMs || !takeCall(account, 'reduce').ok) continue
      askedFills.set(order, now)
      void line.connection.fillsOf(orderId).then((fills) => {
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

  const lookAt = (line: RoutedLine): void => {
    if (line.state !== 'up') return
    const now = timing.now()
    const accounts = [...accountsOf(world, line).values()]
    for (const account of accounts) readFills(line, account)
    if (!accounts.some(isIncomplete)) incompleteSince.delete(line)
    else if (!incompleteSince.has(line)) incompleteSince.set(line, now)
    const since = incompleteSince.get(line)
    const incomplete = since !== undefined && now - since >= incompleteMs
    // Soon after the cut, because the order nearly always arrived; then again once a read can prove the contrary.
    const unknown = unknownOf(accounts).some(({ order: { cutMs } }) => cutMs !== null && (line.listedSince < cutMs || now >= cutMs + knownAfterMs))
    const missing = accounts.some((account) => unlistedOf(account).length > 0 || unreadOf(account).length > 0)
    if ((!incomplete && !unknown && !missing) || now - (triedAt.get(line) ?? 0) < betweenMs) return
    triedAt.set(line, now)
    readAll(line, accounts).catch(failed)
  }

  return () => [...world.lines.values()].forEach(lookAt)
}
