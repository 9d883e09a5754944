import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { RuleSet } from '#shared/api/rules.ts'
import { type Amount, amountOf, type Currency, zero } from '#shared/money/money.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import { lastBookedDay } from '#shared/market/session.ts'
import { resetDayOf } from '#shared/rules/reset-day.ts'
import { termsOf } from '#shared/rules/terms.ts'
import { type BalanceAt, foldHeld, unexplainedBy } from '#shared/rules/unexplained.ts'
import { type CashTransfer, cashTransfers, writtenResets } from '../imports/cash-transfers.ts'
import type { Reader } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { accountRules, ruleBreaches } from '../db/schema/rules.ts'
import { conditionOf, inViewOf } from '../trades/filtered-rows.ts'
import { pairRow } from '../trades/rows.ts'
import { openCosts } from './open-costs.ts'
import { setOf } from '../own-data/account-rules.ts'
import type { OfUser } from '../db/rows.ts'
import type { OfDays, RuledAccount } from './rows.ts'
import { daysOf, tradedDays } from './rule-days.ts'
import { peaksOf } from './session-extremes.ts'

const connectedAccounts = ({ orm }: Reader, userId: string) =>
  orm
    .select({
      account: accounts.key, name: accounts.name, currency: accounts.currency, balance: accounts.balance, balanceAt: accounts.balanceAt, label: finances.type, firm: finances.firm,
      rules: accountRules.rules, presetId: accountRules.presetId, since: accountRules.since, stageByHand: accountRules.stage,
      breach: { rule: ruleBreaches.rule, tradingDay: ruleBreaches.tradingDay, at: ruleBreaches.at },
    })
    .from(accounts)
    .leftJoin(finances, and(eq(finances.userId, accounts.userId), eq(finances.id, accounts.key)))
    .leftJoin(accountRules, and(eq(accountRules.userId, accounts.userId), eq(accountRules.account, accounts.key)))
    .leftJoin(ruleBreaches, and(eq(ruleBreaches.userId, accounts.userId), eq(ruleBreaches.account, accounts.key)))
    .where(and(eq(accounts.userId, userId), isNull(accounts.removedAt)))
    .orderBy(accounts.connectedAt, accounts.key)
    .all()

type NetRow = { account: string; currency: Currency; net: Amount }

/** Net of the running trading day by account, for each currency; trades of a holiday count on the next day already. */
const netsOfDay = ({ orm }: Reader, userId: string, day: string): ReadonlyMap<string, readonly NetRow[]> => {
  const { accountId: account, currency, tradingDay, net } = pairRow
  const closed = and(inArray(tradingDay, [day, lastBookedDay(day)]), conditionOf(inViewOf(userId, 'pairs')))
  const nets = orm.select({ account, currency, net: sql<Amount>`sum(${net})` }).from(pairRow).where(closed).groupBy(account, currency).all()
  return Map.groupBy(nets, (row) => row.account)
}

/** Every connected account, with the result of its past before the trading day `day`; with `instead` only that account, under these rules. */
export const ruledAccounts = (reader: Reader, { userId, day, instead }: OfUser & { readonly day: string; readonly instead?: { readonly account: string; readonly set: RuleSet; readonly since: string | null } }): RuledAccount[] => {
  const nets = netsOfDay(reader, userId, day)
  const transfers = cashTransfers(reader, userId)
  const costs = openCosts(reader, userId, day)
  return connectedAccounts(reader, userId)
    .filter(({ account }) => instead === undefined || account === instead.account)
    .map(({ rules, ...row }): RuledAccount => {
      // A breach that was seen under other rules does not count.
      const kept = instead === undefined ? { ...row, set: setOf(rules) } : { ...row, set: instead.set, since: instead.since, breach: null }
      const { account, set, since, balance, balanceAt } = kept
      const currency = set?.currency ?? kept.currency
      const held = { openCosts: costs(account, currency) }
      const made = since === null || since <= day ? (nets.get(account) ?? []) : []
      return {
        userId,
        ...kept,
        ...foldPast(reader, { userId, account, since, currency }, transfers, { set, day, balance: balance === null || balanceAt === null || currency !== kept.currency ? null : { amount: balance, at: balanceAt, ...held } }),
        ...held,
        dayNet: made.find((one) => one.currency === currency)?.net ?? zero,
        dayForeign: made.some((one) => one.currency !== currency),
      }
    })
}

/** The facts of the journal that an account's rules need. */
type PastFacts = Pick<RuledAccount, 'past' | 'dayMoved' | 'dayPeak' | 'earlierPeak' | 'resetDay'>

/** Folds an account's days before `day` by its rules, checked against its `balance`; `transfers` are the user's, by `cashTransfers`. */
const foldPast = (reader: Reader, of: OfDays, transfers: ReadonlyMap<string, readonly CashTransfer[]>, { set, day, balance }: { readonly set: RuleSet | null; readonly day: string; readonly balance: BalanceAt | null }): PastFacts => {
  const resets = writtenResets(reader, of.userId, of.account)
  const nothing = { past: emptyPast, dayMoved: zero, dayPeak: null, earlierPeak: null }
  if (set === null && resets.length === 0) return { ...nothing, resetDay: null }
  const traded = tradedDays(reader, of)
  const resetDay = resetDayOf(traded, resets, set === null ? [] : setBack(transfers.get(of.account) ?? [], set))
  if (set === null) return { ...nothing, resetDay }
  const days = daysOf(reader, of, transfers, traded, day)
  const moved = days.filter(({ tradingDay }) => tradingDay >= day).reduce((sum, { adjustment, moves = [] }) => moves.reduce((all, { amount }) => all + amount, sum + adjustment), 0)
  return {
    past: foldHeld(set, days.filter(({ tradingDay }) => tradingDay < day), balance === null ? zero : unexplainedBy(days, set, balance)),
    dayMoved: amountOf(moved),
    ...peaksOf(reader, of.userId, of.account, { since: of.since ?? days[0]?.tradingDay ?? '', day }),
    resetDay,
  }
}

/** The deposits after which an account held exactly its rules' starting balance. */
const setBack = (transfers: readonly CashTransfer[], set: RuleSet): readonly CashTransfer[] => {
  const { start } = termsOf(set)
  return start === 0 ? [] : transfers.filter(({ amount, after }) => amount > 0 && after === start)
}
