import type { Fact } from '#shared/copier/facts.ts'
import { accountKey } from '../../brokers/tradovate/mapping.ts'
import { lineKey, type Account, type LineOf, type World } from './world.ts'

/** Facts that wait for their order are given up beyond so many orders: those of accounts that nobody connected. */
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

/** Gives each fact to the account that it is of, in their order; a fact that names no account waits until its order is told. */
export const deliver = (world: World, line: LineOf, facts: readonly Fact[], give: (account: Account, fact: Fact) => void): void => {
  const hand = (accountId: number, fact: Fact): void => {
    const account = accountOn(world, line, accountId)
    if (account !== undefined) give(account, fact)
  }
  const ofOrder = (orderId: number, fact: Fact): void => {
    const accountId = line.orders.get(orderId)
    if (accountId === undefined) later(line.early, orderId, fact)
    else hand(accountId, fact)
  }
  const one = (fact: Fact): void => {
    switch (fact.kind) {
      case 'position':
      case 'cash':
        hand(fact.accountId, fact)
        return
      case 'order':
        line.orders.set(fact.id, fact.accountId)
        hand(fact.accountId, fact)
        for (const waiting of taken(line.early, fact.id)) hand(fact.accountId, waiting)
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

/** Lets go which account an order is of once its book has forgotten the order: a line stands for months. */
export const forgetPast = (world: World, line: LineOf): void => {
  for (const [orderId, accountId] of line.orders) if ((accountOn(world, line, accountId)?.book.order(orderId) ?? null) === null) line.orders.delete(orderId)
  for (const [commandId, orderId] of line.commands) if (!line.orders.has(orderId)) line.commands.delete(commandId)
}

/** The connected account of a number that a line tells of. */
const accountOn = (world: World, line: LineOf, id: number): Account | undefined => {
  const account = world.accounts.get(accountKey(line.environment, id))
  return account !== undefined && lineKey(account) === line.key ? account : undefined
}

/** The connected accounts that a line tells of, by the broker's number. */
export const accountsOf = (world: World, line: LineOf): Map<number, Account> =>
  new Map([...world.accounts.values()].filter((account) => lineKey(account) === line.key).map((account) => [account.id, account]))
