import type { CopierStore } from '../store/copier-store.ts'
import type { Cause, NotSent } from '../store/rows.ts'
import type { FillFact } from '#shared/copier/facts.ts'
import { leaderNet, shrinkAlong } from './followers.ts'
import { copyFill, following, type Following, type LeftOut, type StepDeps } from './steps.ts'
import { accountIn, contractStateOf, type Group } from './world.ts'

/** How long a follower's own exit may take to fill after the leader's. */
const twinMs = 1_500

/** Delay before logging what was not sent, so that orders reach the wire first. */
const notesAfterMs = 30

const signed = ({ side, qty }: FillFact): number => (side === 'buy' ? qty : 0 - qty)

/** Copies the leader's fills. */
export type FastPath = {
  /** Copies new fills as far as the leader's position is certain; ledger entries follow after the orders. True if something was sent. */
  readonly now: (group: Group) => boolean
}

/** The engine's fast path. */
export const createFastPath = ({ steps, store, later }: { readonly steps: StepDeps; readonly store: CopierStore; /** Runs `act` after `ms`, unless the copier stops first. */ readonly later: (ms: number, act: () => void) => void }): FastPath => {
  const { world, timing } = steps

  const causeOf = (group: Group, contract: string, fill: FillFact): Cause => ({
    groupId: group.id,
    at: timing.now(),
    kind: 'fill',
    leaderAccount: group.kept.leader,
    contract,
    fillId: String(fill.id),
    side: fill.side,
    qty: fill.qty,
    price: String(fill.price),
  })

  /** Gives a follower's own exit for the leader's filled order a moment to fill at the same price. */
  const letTwinsFill = (followers: readonly Following[], leaderOrderId: number): void => {
    for (const { follower, account } of followers) {
      if (account.ours.size === 0) continue
      for (const order of account.ours.values()) {
        if (order.follows !== leaderOrderId) continue
        const state = contractStateOf(follower, order.intent.contract)
        if (order.intent.purpose === 'entry') state.entryUntil = timing.now() + twinMs
        else {
          order.twin = true
          state.twinUntil = timing.now() + twinMs
        }
      }
    }
  }

  /** Logs followers without an order for a fill, and why, once the orders are out. */
  const note = (event: number | Cause, leftOut: readonly LeftOut[]): void =>
    later(notesAfterMs, () => {
      const cause = typeof event === 'number' ? event : store.writeCause(event)
      const rows: NotSent[] = leftOut.map(({ account, contract, why }) => ({ cause, account, contract, why }))
      if (rows.length > 0) store.notSent(rows)
    })

  const copy = (group: Group): boolean => {
    const leader = accountIn(world, group, group.kept.leader)
    if (leader === undefined || group.newFills.length === 0) return false
    let sent = false
    const followers = following(world, group)
    const { byId } = leader.contracts
    const waiting: Group['newFills'] = []
    const byContract = new Map<string, Group['newFills']>()
    for (const news of group.newFills) {
      const contract = byId.get(news.fill.contractId)?.name
      if (contract === undefined || leaderNet(world, group, contract) === null) waiting.push(news)
      else byContract.set(contract, [...(byContract.get(contract) ?? []), news])
    }
    group.newFills = waiting
    for (const [contract, fills] of byContract) {
      const last = fills.at(-1)
      if (last === undefined) continue
      let net = fills.reduce((sum, { fill }) => sum - signed(fill), leaderNet(world, group, contract) ?? 0)
      shrinkAlong(group, contract, fills.map(({ fill }) => (net += signed(fill))))
      // Fills of one message are copied together: one order per follower, after the last fill.
      for (const { fill } of fills) letTwinsFill(followers, fill.orderId)
      const cause = causeOf(group, contract, last.fill)
      const { leftOut, event } = copyFill(steps, group, followers, contract, { cause, receivedAt: last.receivedAt })
      for (const { fill } of fills.slice(0, -1)) {
        note(causeOf(group, contract, fill), followers.map(({ account }) => ({ account: account.key, contract, why: 'with-next-fill' })))
      }
      sent ||= event !== null
      note(event ?? cause, leftOut)
    }
    return sent
  }

  return { now: copy }
}
