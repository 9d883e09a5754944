import type { Fact } from '#shared/copier/facts.ts'
import { accountKey } from '../../brokers/tradovate/mapping.ts'
import { lineKey, type Account, type LineOf, type World } from './world.ts'

/** The most orders whose facts wait: beyond that they belong to unconnected accounts and are dropped. */
const mostEarly = 5_000

const later = (waiting: Map<number, Fact[]>, id: number, fact: Fact): void => {
  const facts = waiting.get(id)
  if (facts !== undefined) {
    facts.push(fact)
    return
  }
  const [oldest] = waiting.keys()
  if (waiting.size >= mostEarly && oldest !== undefined) waiting.delete(oldest)
  waiting.set(id, [fact])
}

const taken = (waiting: Map<number, Fact[]>, id: number): Fact[] => {
  const facts = waiting.get(id) ?? []
  waiting.delete(id)
  return facts
}

/** Routes each fact to its account, in order; a fact without an account waits for its order. */
export const deliver = (world: World, line: LineOf, facts: readonly Fact[], give: (account: Account, fact: Fact) => void): void => {
  const deliverTo = (accountId: number, fact: Fact): void => {
    const account = accountOn(world, line, accountId)
    if (account !== undefined) give(account, fact)
  }
  const ofOrder = (orderId: number, fact: Fact): void => {
    const accountId = line.orders.get(orderId)
    if (accountId === undefined) later(line.early, orderId, fact)
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
        for (const waiting of taken(line.early, fact.id)) deliverTo(fact.accountId, waiting)
        return
      case 'fill':
      case 'version':
        ofOrder(fact.orderId, fact)
        return
      case 'command':
        line.commands.set(fact.id, fact.orderId)
        ofOrder(fact.orderId, fact)
        for (const waiting of taken(line.earlyReports, fact.id)) ofOrder(fact.orderId, waiting)
        return
      case 'report': {
        const orderId = line.commands.get(fact.commandId)
        if (orderId === undefined) later(line.earlyReports, fact.commandId, fact)
        else ofOrder(orderId, fact)
      }
    }
  }
  facts.forEach(one)
}

/** Drops an order's account mapping once its book dropped the order: a line stays open for months. */
export const forgetPast = (world: World, line: LineOf): void => {
  for (const [orderId, accountId] of line.orders) if ((accountOn(world, line, accountId)?.book.order(orderId) ?? null) === null) line.orders.delete(orderId)
  for (const [commandId, orderId] of line.commands) if (!line.orders.has(orderId)) line.commands.delete(commandId)
}

/** The connected account of a line by broker number. */
const accountOn = (world: World, line: LineOf, id: number): Account | undefined => {
  const account = world.accounts.get(accountKey(line.environment, id))
  return account !== undefined && lineKey(account) === line.key ? account : undefined
}

/** A line's connected accounts, by broker number. */
export const accountsOf = (world: World, line: LineOf): Map<number, Account> =>
  new Map([...world.accounts.values()].filter((account) => lineKey(account) === line.key).map((account) => [account.id, account]))
