import type { Fact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { deliver, forgetPast } from './facts-in.ts'
import type { LineEvent } from './line.ts'
import { lineKey, type Account, type Group, type LineOf, type World } from './world.ts'

/** So long after a session began the broker's lists surely hold what was carried into it. */
const carriedMs = 300_000

/** What hearing works with. */
export type HearingParts = {
  readonly world: World
  readonly timing: Timing
  readonly groupsOf: (account: Account) => Group[]
  /** Brings the orders of ours on an account up to its book. */
  readonly progress: (account: Account) => void
  /** Looks at a group again soon. */
  readonly touch: (group: Group) => void
  /** Copies what a leader's fills came to, at once. */
  readonly copy: (group: Group) => void
}

/** Lets go what nothing more can come of, as a new session (`YYYY-MM-DD`) begins. */
export const beginSession = (world: World, session: string): void => {
  for (const account of world.accounts.values()) {
    account.book.sessionRoll(session)
    if (account.wasUp) for (const [orderId, { intent }] of account.placed) if (!account.ours.has(intent.clOrdId) && account.book.order(orderId) === null) account.placed.delete(orderId)
  }
  for (const line of world.lines.values()) forgetPast(world, line)
}

/** Takes what lines tell into the world: a leader's fill is copied before anything else is done. */
export const createHearing = ({ world, timing, groupsOf, progress, touch, copy }: HearingParts): ((line: LineOf, event: LineEvent) => void) => {
  const takeFacts = (line: LineOf, facts: readonly Fact[], heardAt: number | null): void => {
    const touched = new Set<Account>()
    const led = new Map<Group, Set<number>>()
    const { marks } = line.contracts
    deliver(world, line, facts, (account, fact) => {
      account.book.take(fact)
      touched.add(account)
      if ((fact.kind === 'fill' || fact.kind === 'position') && fact.session > account.session) {
        // Fills of the session before are no news any more, whether they are known or not.
        account.knownFills.clear()
        account.session = fact.session
      }
      if (fact.kind !== 'fill') return
      const isKnown = account.knownFills.has(fact.id)
      account.knownFills.set(fact.id, fact)
      if (!fact.active || isKnown) return
      const mark = marks.get(fact.contractId)
      if (mark === undefined || mark.time <= fact.time) marks.set(fact.contractId, { price: fact.price, time: fact.time, at: heardAt === null ? fact.time : timing.now() })
      if (fact.session < account.session) return
      for (const group of groupsOf(account)) {
        if (group.state === 'off') continue
        if (group.kept.leader !== account.key) {
          // Those of before a restart too: it is counted up to which of them was known then.
          if (!group.kept.dryRun) account.untaken.set(fact.id, { fill: fact, since: timing.now() })
          continue
        }
        if (!account.wasUp) continue
        group.newFills.push({ fill: fact, heardAt })
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
        takeFacts(line, event.facts, event.source === 'socket' ? event.heardAt : null)
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
          const told = lineKey(account) === line.key ? event.accounts.find(({ id }) => id === account.id) : undefined
          if (told !== undefined) Object.assign(account, { restricted: told.restricted, closed: told.closed })
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
