import { isEnded, type Fact } from '#shared/copier/facts.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import type { LineEvent } from './line-reading.ts'
import { unlistedMs } from './saved-groups.ts'
import { accountIn, lineKey, recordClock, type Account, type Group, type RoutedLine, type CopierOrder, type World } from './world.ts'
import { accountKey } from '../../brokers/tradovate/mapping.ts'

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
  readonly copyNewFills: (group: Group) => void
}

/** Whether the leader's order that an own entry mirrors may still work. */
const mayWork = (world: World, { intent, follows }: CopierOrder, now: number): boolean => {
  const group = world.groups.get(intent.groupId)
  if (group === undefined || follows === null) return false
  const status = accountIn(world, group, group.settings.leader)?.book.order(follows)?.status ?? null
  return status === null ? intent.writtenAt > now - unlistedMs : !isEnded(status)
}

/** Clears finished state when a new session (`YYYY-MM-DD`) begins at `now` (UTC ms). `over`: called with an entry whose leader's order has ended. */
export const beginSession = (world: World, session: string, { now, over }: { readonly now: number; readonly over: (order: CopierOrder) => void }): void => {
  for (const { placed } of world.accounts.values()) {
    for (const order of placed.values()) {
      if (!order.counts || mayWork(world, order, now)) continue
      order.counts = false
      over(order)
    }
  }
  for (const account of world.accounts.values()) {
    account.book.sessionRoll(session)
    if (account.wasUp) for (const [orderId, { intent, counts }] of account.placed) if (!counts && !account.ours.has(intent.clOrdId) && account.book.order(orderId) === null) account.placed.delete(orderId)
  }
  for (const line of world.lines.values()) clearPast(world, line)
}

/** Applies line events to the world; a leader's fill is copied before anything else. */
export const createFactIntake = ({ world, timing, groupsOf, progress, touch, copyNewFills }: FactIntakeDeps): ((line: RoutedLine, event: LineEvent) => void) => {
  const takeFacts = (line: RoutedLine, facts: readonly Fact[], receivedAt: number | null): void => {
    const touched = new Set<Account>()
    const led = new Set<Group>()
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
      const uncounted = account.uncounted.get(fact.id)
      if (uncounted !== undefined && !fact.active) account.uncounted.set(fact.id, { ...uncounted, fill: fact })
      if (isKnown) return
      if (fact.active && receivedAt !== null) recordClock(world, line, fact.time, wallOf(timing))
      const mark = marks.get(fact.contractId)
      if (fact.active && (mark === undefined || mark.time <= fact.time)) marks.set(fact.contractId, { price: fact.price, time: fact.time, at: receivedAt === null ? fact.time : timing.now() })
      if (fact.session < account.session) return
      for (const group of groupsOf(account)) {
        if (group.state === 'off') continue
        if (group.settings.leader !== account.key) {
          // Nor are fills before a restart: the last counted one is stored.
          if (!group.settings.dryRun) account.uncounted.set(fact.id, { fill: fact, since: timing.now() })
          continue
        }
        if (!fact.active || !account.wasUp) continue
        group.newFills.push({ fill: fact, receivedAt })
        led.add(group)
      }
    })
    for (const account of touched) progress(account)
    for (const group of led) copyNewFills(group)
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
          const listed = new Set(event.facts.filter((fact) => (fact.kind === 'position' ? fact.accountId === account.id : fact.active && line.orders.get(fact.orderId) === account.id)).map(({ contractId }) => contractId))
          account.book.sessionRoll(tradingDay(wallOf(timing) - carriedMs), listed)
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

/** The most orders whose facts wait: beyond that they belong to unconnected accounts and are dropped. */
const mostEarly = 5_000

const keepWaiting = (waiting: Map<number, Fact[]>, id: number, fact: Fact): void => {
  const facts = waiting.get(id)
  if (facts !== undefined) {
    facts.push(fact)
    return
  }
  const [oldest] = waiting.keys()
  if (waiting.size >= mostEarly && oldest !== undefined) waiting.delete(oldest)
  waiting.set(id, [fact])
}

const takeWaiting = (waiting: Map<number, Fact[]>, id: number): Fact[] => {
  const facts = waiting.get(id) ?? []
  waiting.delete(id)
  return facts
}

/** Routes each fact to its account, in order; a fact without an account waits for its order. */
export const deliver = (world: World, line: RoutedLine, facts: readonly Fact[], give: (account: Account, fact: Fact) => void): void => {
  const deliverTo = (accountId: number, fact: Fact): void => {
    const account = accountOn(world, line, accountId)
    if (account !== undefined) give(account, fact)
  }
  const ofOrder = (orderId: number, fact: Fact): void => {
    const accountId = line.orders.get(orderId)
    if (accountId === undefined) keepWaiting(line.early, orderId, fact)
    else deliverTo(accountId, fact)
  }
  const one = (fact: Fact): void => {
    switch (fact.kind) {
      case 'position':
      case 'cash':
        deliverTo(fact.accountId, fact)
        return
      case 'order':
        line.orders.set(fact.id, fact.accountId)
        deliverTo(fact.accountId, fact)
        for (const waiting of takeWaiting(line.early, fact.id)) deliverTo(fact.accountId, waiting)
        return
      case 'fill':
      case 'version':
        ofOrder(fact.orderId, fact)
        return
      case 'command':
        line.commands.set(fact.id, fact.orderId)
        ofOrder(fact.orderId, fact)
        for (const waiting of takeWaiting(line.earlyReports, fact.id)) ofOrder(fact.orderId, waiting)
        return
      case 'report': {
        const orderId = line.commands.get(fact.commandId)
        if (orderId === undefined) keepWaiting(line.earlyReports, fact.commandId, fact)
        else ofOrder(orderId, fact)
      }
    }
  }
  facts.forEach(one)
}

/** Deletes an order's account mapping once its book deleted the order: a line stays open for months. */
const clearPast = (world: World, line: RoutedLine): void => {
  for (const [orderId, accountId] of line.orders) if ((accountOn(world, line, accountId)?.book.order(orderId) ?? null) === null) line.orders.delete(orderId)
  for (const [commandId, orderId] of line.commands) if (!line.orders.has(orderId)) line.commands.delete(commandId)
}

/** The connected account of a line by broker number. */
const accountOn = (world: World, line: RoutedLine, id: number): Account | undefined => {
  const account = world.accounts.get(accountKey(line.environment, id))
  return account !== undefined && lineKey(account) === line.key ? account : undefined
}

/** A line's connected accounts, by broker number. */
export const accountsOf = (world: World, line: RoutedLine): Map<number, Account> =>
  new Map([...world.accounts.values()].filter((account) => lineKey(account) === line.key).map((account) => [account.id, account]))
