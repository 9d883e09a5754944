import type { Finance } from '#shared/api/records.ts'
import type { RuleSet, Stage } from '#shared/api/rules.ts'
import { type Amount, amountOf, type Currency, zero } from '#shared/money/money.ts'
import { emptyPast } from '#shared/rules/fold.ts'
import { lastBookedDay } from '#shared/market/session.ts'
import { resetDayOf } from '#shared/rules/reset-day.ts'
import { termsOf } from '#shared/rules/terms.ts'
import { type BalanceAt, foldHeld, unexplainedBy } from '#shared/rules/unexplained.ts'
import { type CashTransfer, cashTransfers, writtenResets } from '../imports/cash-transfers.ts'
import { query, type Reader } from '../db/database.ts'
import { inViewOf } from '../trades/filtered-rows.ts'
import { openCosts } from './open-costs.ts'
import { setOf } from './queries.ts'
import type { OfUser } from '../db/rows.ts'
import type { OfDays, RuledAccount, SeenBreach } from './rows.ts'
import { daysOf, tradedDays } from './rule-days.ts'
import { peaksOf } from './session-extremes.ts'

type AccountRow = {
  preset_id: string | null
  since: string | null
  stage: Stage | null
  key: string
  name: string
  type: Finance['type'] | null
  firm: Finance['firm']
  balance: Amount | null
  currency: Currency
  balance_at: number | null
  rules: string | null
  broken: SeenBreach['rule'] | null
  broken_day: string | null
  broken_at: number | null
}

const accountsSql = `SELECT accounts.key, accounts.name, finances.type, finances.firm, accounts.balance, accounts.currency, balance_at, rules, preset_id, since, stage,
  rule AS broken, trading_day AS broken_day, breach.at AS broken_at FROM accounts
  LEFT JOIN finances ON finances.user_id = accounts.user_id AND finances.id = key
  LEFT JOIN account_rules AS own ON own.user_id = accounts.user_id AND own.account = key
  LEFT JOIN rule_breaches AS breach ON breach.user_id = accounts.user_id AND breach.account = key
  WHERE accounts.user_id = ? AND accounts.removed_at IS NULL ORDER BY connected_at, key`

type NetRow = { account: string; currency: Currency; net: Amount }

/** Net of the running trading day by account, for each currency; trades of a holiday count on the next day already. */
const netsOfDay = (reader: Reader, userId: string, day: string): ReadonlyMap<string, readonly NetRow[]> => {
  const there = inViewOf(userId, 'pairs')
  const sql = `SELECT row.account_id AS account, row.currency, sum(row.net) AS net FROM trades AS row
    WHERE row.trading_day IN (?, ?) AND ${there.sql} GROUP BY row.account_id, row.currency`
  return Map.groupBy(query<NetRow>(reader, sql).all(day, lastBookedDay(day), ...there.values), ({ account }) => account)
}

/** Every connected account, with the result of its past before the trading day `day`; with `instead` only that account, under these rules. */
export const ruledAccounts = (reader: Reader, { userId, day, instead }: OfUser & { readonly day: string; readonly instead?: { readonly account: string; readonly set: RuleSet; readonly since: string | null } }): RuledAccount[] => {
  const nets = netsOfDay(reader, userId, day)
  const transfers = cashTransfers(reader, userId)
  const costs = openCosts(reader, userId, day)
  return query<AccountRow>(reader, accountsSql)
    .all(userId)
    .filter(({ key }) => instead === undefined || key === instead.account)
    .map((row): RuledAccount => {
      // A breach that was seen under other rules does not count.
      const kept = instead === undefined ? keptOf(row) : { ...keptOf(row), set: instead.set, since: instead.since, breach: null }
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

const keptOf = ({ key, name, type, firm, balance, currency, balance_at, rules, preset_id, since, stage, broken, broken_day, broken_at }: AccountRow): Omit<RuledAccount, keyof PastFacts | 'userId' | 'dayNet' | 'dayForeign' | 'openCosts'> => ({
  ...{ account: key, name, firm, label: type, currency, balance, balanceAt: balance_at },
  ...{ set: setOf(rules), presetId: preset_id ?? null, since: since ?? null, stageByHand: stage ?? null },
  breach: broken === null || broken_day === null || broken_at === null ? null : { rule: broken, tradingDay: broken_day, at: broken_at },
})

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
  const days = daysOf(reader, of, transfers, traded)
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
