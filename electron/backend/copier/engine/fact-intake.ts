import type { Fact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { deliver, forgetPast } from './facts-in.ts'
import type { LineEvent } from './line-reading.ts'
import { lineKey, type Account, type Group, type LineOf, type World } from './world.ts'

/** How long after a session starts the broker's lists are certain to include carried positions. */
const carriedMs = 300_000

/** Dependencies of fact intake. */
export type FactIntakeDeps = {
  readonly world: World
  readonly timing: Timing
  readonly groupsOf: (account: Account) => Group[]
  /** Updates an account's copier orders from its book. */
  readonly progress: (account: Account) => void
  /** Schedules a look at a group. */
  readonly touch: (group: Group) => void
  /** Copies a leader's fills at once. */
  readonly copy: (group: Group) => void
}

/** Drops finished state when a new session (`YYYY-MM-DD`) begins. */
export const beginSession = (world: World, session: string): void => {
  for (const account of world.accounts.values()) {
    account.book.sessionRoll(session)
    if (account.wasUp) for (const [orderId, { intent }] of account.placed) if (!account.ours.has(intent.clOrdId) && account.book.order(orderId) === null) account.placed.delete(orderId)
  }
  for (const line of world.lines.values()) forgetPast(world, line)
}

/** Applies line events to the world; a leader's fill is copied before anything else. */
export const createFactIntake = ({ world, timing, groupsOf, progress, touch, copy }: FactIntakeDeps): ((line: LineOf, event: LineEvent) => void) => {
  const takeFacts = (line: LineOf, facts: readonly Fact[], receivedAt: number | null): void => {
    const touched = new Set<Account>()
    const led = new Map<Group, Set<number>>()
    const { marks } = line.contracts
    deliver(world, line, facts, (account, fact) => {
      account.book.take(fact)
      touched.add(account)
      if ((fact.kind === 'fill' || fact.kind === 'position') && fact.session > account.session) {
        // Fills of an earlier session are not new, known or not.
        account.knownFills.clear()
        account.session = fact.session
      }
      if (fact.kind !== 'fill') return
      const isKnown = account.knownFills.has(fact.id)
      account.knownFills.set(fact.id, fact)
      if (!fact.active || isKnown) return
      const mark = marks.get(fact.contractId)
      if (mark === undefined || mark.time <= fact.time) marks.set(fact.contractId, { price: fact.price, time: fact.time, at: receivedAt === null ? fact.time : timing.now() })
      if (fact.session < account.session) return
      for (const group of groupsOf(account)) {
        if (group.state === 'off') continue
        if (group.kept.leader !== account.key) {
          // Nor are fills before a restart: the last counted one is stored.
          if (!group.kept.dryRun) account.untaken.set(fact.id, { fill: fact, since: timing.now() })
          continue
        }
        if (!account.wasUp) continue
        group.newFills.push({ fill: fact, receivedAt })
        led.set(group, (led.get(group) ?? new Set()).add(fact.contractId))
      }
    })
    for (const account of touched) progress(account)
    for (const group of led.keys()) copy(group)
    for (const account of touched) groupsOf(account).forEach(touch)
  }

  return (line, event) => {
    switch (event.kind) {
      case 'facts':
        takeFacts(line, event.facts, event.source === 'socket' ? event.receivedAt : null)
        return
      case 'contracts':
        for (const contract of event.contracts) {
          line.contracts.byId.set(contract.id, contract)
          line.contracts.byName.set(contract.name, contract)
        }
        break
      case 'listed':
        for (const account of world.accounts.values()) {
          if (lineKey(account) !== line.key) continue
          const listed = new Set(event.positions.filter(({ accountId }) => accountId === account.id).map(({ contractId }) => contractId))
          account.book.sessionRoll(tradingDay(timing.now() - carriedMs), listed)
        }
        break
      case 'accounts':
        for (const account of world.accounts.values()) {
          const row = lineKey(account) === line.key ? event.accounts.find(({ id }) => id === account.id) : undefined
          if (row !== undefined) Object.assign(account, { restricted: row.restricted, closed: row.closed })
        }
        break
      case 'limits':
        return
      case 'state':
        line.state = event.state
        line.isCut = event.state === 'down' && (event.why === 'network' || event.why === 'silence' || event.why === 'asked')
        if (event.state !== 'up') break
        for (const account of world.accounts.values()) {
          if (lineKey(account) !== line.key) continue
          account.wasUp = true
          progress(account)
        }
    }
    for (const group of world.groups.values()) if (group.userId === line.userId) touch(group)
  }
}
