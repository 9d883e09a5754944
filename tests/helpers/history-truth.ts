import { feePerContract } from '#demo-broker/contracts.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import { reconcile } from '#shared/reconcile/reconcile.ts'
import { lastWholeDay } from '#shared/sync/history-windows.ts'
import { ava, type HistoryJournal } from './history.ts'

/** What the stand-in's own books say of an account up to the last whole day, in 1/10,000. */
export const truthOf = async ({ broker }: HistoryJournal, accountId: number) => {
  const { books, executions } = await broker.archive()
  const until = lastWholeDay(broker.clock.now())
  const pairs = books.pairs.filter((pair) => pair.accountId === accountId && pair.session <= until)
  const fills = executions.filter((fill) => fill.accountId === accountId && fill.session <= until)
  const days = Map.groupBy(pairs, ({ session }) => session)
  return {
    fills: fills.length,
    pairs: pairs.length,
    days: [...days].map(([day, own]) => [day, own.reduce((sum, { gross, qty, buy }) => sum + gross - 2 * qty * feePerContract(buy.contract.product), 0)] as const).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  }
}

/** The accounts of the login whose history is fetched. */
export const accountsOf = ({ broker }: HistoryJournal) => broker.logins.find(({ name }) => name === ava)?.accounts ?? []

/** What the journal makes of an account: its pairs held against the broker's, and its days. */
export const figuresOf = async ({ journal, userId, broker }: HistoryJournal, accountId: number) => {
  const account = `tradovate:demo:${String(accountId)}` as AccountKey
  const facts = await journal.read.brokerFacts({ userId, account })
  const { pairs } = deriveTrades(facts, 'America/New_York')
  const { closed, days, ...counts } = reconcile({ ...facts, accounts: new Map(), retimed: [], warnings: [] }, pairs)
  const until = lastWholeDay(broker.clock.now())
  return {
    ...counts,
    differing: days.filter(({ state, tradingDay }) => state !== 'equal' && tradingDay <= until).map(({ tradingDay, state, reason, difference }) => ({ tradingDay, state, reason, difference })),
    fills: facts.fills.filter(({ tradeDate }) => tradeDate !== null && tradeDate <= until).length,
    pairs: closed.filter(({ tradingDay }) => tradingDay <= until).length,
    days: days.filter(({ tradingDay }) => tradingDay <= until).map(({ tradingDay, fillbook }) => [tradingDay, Number(fillbook.net)] as const),
  }
}

/** The reports that were asked for, as text. */
export const askedReports = ({ asked }: HistoryJournal): string[] => asked.map(({ name, account, from, to }) => `${name} ${account} ${from} ${to}`)
