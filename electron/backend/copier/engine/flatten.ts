import type { FlattenReport } from '#shared/api/copier.ts'
import type { CloseReport } from '#shared/api/positions.ts'
import type { BookOrder } from '#shared/copier/book.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import { contractsOf, inFlight, oursIn } from './followers.ts'
import { eventWithoutFill, marketDraft, type Draft, type OrderGateway } from './order-gateway.ts'
import { hasUnnamed, isLiquidating, isSettled, isCurrent, lineOf, netOf, type Account, type Follower, type Group, type CopierOrder, type World } from './world.ts'

/** How long to wait for a line that is down, and for a whole flatten. */
const lineWaitMs = 30_000
const wholeMs = 90_000

/** Delay before retrying a rejected close. */
const againMs = 5_000

/** Dependencies of flattening. */
export type FlattenDeps = {
  readonly world: World
  readonly gateway: OrderGateway
  readonly timing: Timing
  /** Resolves with whether `look` became true within `ms`; checked after every fact and every second. */
  readonly until: (look: () => boolean, ms: number) => Promise<boolean>
  /** Has the broker close everything in an account, which needs no order of ours. */
  readonly liquidate: (account: Account) => Promise<CloseReport>
  /** Whether the program is shutting down: stop waiting and sending. */
  readonly stopped: () => boolean
}

/** Whether all fills of a copier order are already in the account's position. */
const isCounted = (account: Account, { orderId, filled }: CopierOrder): boolean => orderId === null || (account.book.order(orderId)?.filled ?? filled) === filled

/** An account's open positions, signed. */
export const openOf = (account: Account): { readonly contract: string; readonly net: number }[] =>
  contractsOf(account).flatMap((contract) => {
    const net = netOf(account, contract)
    return net === 0 ? [] : [{ contract, net }]
  })

/** All working orders of an account, whether placed by hand or by the copier. */
const workingOf = (account: Account): BookOrder[] => [...account.contracts.byId.keys()].flatMap((id) => account.book.working(id))

/** Whether an order reduces the position: it stays until the close fills, so that a rejected close leaves nothing unprotected. */
const reducesPosition = ({ side, contractId }: BookOrder, account: Account): boolean => {
  const net = contractId === null ? 0 : account.book.net(contractId)
  return net !== 0 && net > 0 === (side === 'sell')
}

/** Closes and cancels everything of one follower's account, and reports flat only after a fresh read confirms it; stops if the follower is unlocked meanwhile. Protective orders go last. On a full disk the broker liquidates. */
export const flattenFollower = async ({ world, gateway, timing, until, liquidate, stopped: ends }: FlattenDeps, group: Group, follower: Follower, account: Account | undefined): Promise<FlattenReport> => {
  const report = (outcome: FlattenReport['outcome'], detail: string | null = null): FlattenReport => ({ account: follower.account, outcome, left: account === undefined ? [] : openOf(account), detail })
  const send = (draft: Draft): boolean =>
    gateway.send(eventWithoutFill(group, 'flatten', draft.contract, wallOf(timing)), [draft], null) !== null
  if (account === undefined) return report('not-connected')
  if (group.settings.dryRun) {
    for (const [contract, net] of follower.simulated) {
      if (net === 0) continue
      send(marketDraft({ group, follower, account, contract, side: net > 0 ? 'sell' : 'buy', qty: Math.abs(net), purpose: 'flatten' }))
    }
    return report('was-flat', 'dry-run')
  }
  const { unlocks } = follower
  const stopped = (): boolean => ends() || follower.unlocks !== unlocks
  const wait = (look: () => boolean, ms: number): Promise<boolean> => until(() => stopped() || look(), ms)
  if (!(await wait(() => isCurrent(world, account), lineWaitMs))) return report('not-connected')
  const byBroker = async (): Promise<FlattenReport> => {
    const closed = await liquidate(account)
    return report(closed.outcome === 'refused' ? 'not-flat' : closed.outcome, closed.detail)
  }
  // An order of an earlier run may already be closing.
  if (!account.recovered) return byBroker()

  const canceled = new Map<number, number>()
  const triedAt = new Map<string, number>()
  let detail: string | null = null
  let touched = false

  const cancelAll = (): void => {
    const now = timing.now()
    for (const working of workingOf(account)) {
      const { id: orderId, contractId } = working
      if (working.left === 0) continue
      if ((contractId !== null && account.liquidating.has(contractId)) || reducesPosition(working, account) || now - (canceled.get(orderId) ?? 0) < againMs) continue
      // Cancel a late close of our own too: after a manual close it would open a position.
      const own = [...account.ours.values()].find((order) => order.orderId === orderId)
      canceled.set(orderId, now)
      touched = true
      void lineOf(world, account)?.connection.cancel({ orderId, clOrdId: own?.intent.clOrdId ?? 'fb-flatten' })
    }
  }
  const closesDue = (): Draft[] => {
    const now = timing.now()
    return openOf(account).flatMap(({ contract, net }) => {
      const orders = oursIn(account, contract)
      const { buying, selling } = inFlight(orders)
      const left = net + buying - selling
      const waits = orders.some((order) => order.stage === 'unknown' || order.ended || !isCounted(account, order)) || !isSettled(account, contract) || isLiquidating(account, contract) || now - (triedAt.get(contract) ?? 0) < againMs
      if (waits || left === 0 || Math.sign(left) !== Math.sign(net)) return []
      // Pending orders may never fill: no close is larger than the position.
      return [marketDraft({ group, follower, account, contract, side: left > 0 ? 'sell' : 'buy', qty: Math.min(Math.abs(left), Math.abs(net)), purpose: 'flatten' })]
    })
  }
  /** False if an order cannot be written. */
  const closeAll = (): boolean =>
    closesDue().every((draft) => {
      triedAt.set(draft.contract, timing.now())
      touched = true
      return send(draft)
    })
  const isDone = (): boolean => isCurrent(world, account) && !hasUnnamed(account) && openOf(account).length === 0 && workingOf(account).length === 0 && account.ours.size === 0 && account.uncounted.size === 0

  const over = timing.now() + wholeMs
  while (!stopped() && timing.now() < over) {
    if (!isCurrent(world, account) && !(await wait(() => isCurrent(world, account), lineWaitMs))) return report('not-connected', detail)
    if (stopped()) break
    cancelAll()
    // Orders that would add to the position end first, or within a moment.
    await wait(() => workingOf(account).every(({ id }) => !canceled.has(id)), 1_500)
    if (!stopped() && !closeAll()) {
      // What was sent before the disk was full must not close twice.
      await wait(() => [...account.ours.values()].every(({ intent }) => intent.purpose !== 'flatten'), 10_000)
      if (stopped()) break
      return byBroker()
    }
    await wait(() => openOf(account).length === 0 || closesDue().length > 0, 2_000)
    if (!stopped()) cancelAll()
    // Close late fills and late order ends at once.
    await wait(() => isDone() || closesDue().length > 0, 2_000)
    if (stopped()) break
    if (closesDue().length > 0) continue
    if (!isDone()) {
      detail = 'waiting'
      continue
    }
    const read = await lineOf(world, account)?.connection.readAnew()
    if (read === true && isDone()) return report(touched ? 'flat' : 'was-flat')
    await wait(() => false, 1_000)
  }
  return report('not-flat', detail)
}
