import type { Finance } from '#shared/api/records.ts'
import type { RuleSet, Stage } from '#shared/api/rules.ts'
import { zero, type Amount, type Currency } from '#shared/money/money.ts'
import { foldPast, type PastFacts } from './account-past.ts'
import { cashTransfers } from '../imports/cash-transfers.ts'
import { query, type Reader } from '../db/database.ts'
import { inViewOf } from '../trades/filtered-rows.ts'
import { openCosts } from './open-costs.ts'
import { reachMs } from '../trades/net-of-day.ts'
import { setOf } from './queries.ts'
import type { OfUser } from '../db/rows.ts'
import type { RuledAccount, SeenBreach } from './rows.ts'

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

/** Net of a trading day by account and currency, with keys by `netKey`. */
const netsOfDay = (reader: Reader, userId: string, day: string): ReadonlyMap<string, Amount> => {
  const there = inViewOf(userId, 'pairs')
  const sql = `SELECT row.account_id AS account, row.currency, sum(row.net) AS net FROM trades AS row
    WHERE row.exit_time BETWEEN ? AND ? AND row.trading_day = ? AND ${there.sql} GROUP BY row.account_id, row.currency`
  const rows = query<NetRow>(reader, sql).all(Date.parse(day) - reachMs, Date.parse(day) + reachMs, day, ...there.values)
  return new Map(rows.map(({ account, currency, net }) => [netKey(account, currency), net]))
}

const netKey = (account: string, currency: string): string => `${currency} ${account}`

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
      const counts = since === null || since <= day
      return {
        userId,
        ...kept,
        ...foldPast(reader, { userId, account, since, currency }, transfers, { set, day, balance: balance === null || balanceAt === null || currency !== kept.currency ? null : { amount: balance, at: balanceAt, ...held } }),
        ...held,
        dayNet: (counts ? nets.get(netKey(account, currency)) : undefined) ?? zero,
      }
    })
}

const keptOf = ({ key, name, type, firm, balance, currency, balance_at, rules, preset_id, since, stage, broken, broken_day, broken_at }: AccountRow): Omit<RuledAccount, keyof PastFacts | 'userId' | 'dayNet' | 'openCosts'> => ({
  ...{ account: key, name, firm, label: type, currency, balance, balanceAt: balance_at },
  ...{ set: setOf(rules), presetId: preset_id ?? null, since: since ?? null, stageByHand: stage ?? null },
  breach: broken === null || broken_day === null || broken_at === null ? null : { rule: broken, tradingDay: broken_day, at: broken_at },
})
