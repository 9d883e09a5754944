import { sessionOf } from '#shared/market/session.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import { openLots } from '#shared/pnl/position.ts'
import { decodePosition } from '#shared/pnl/position-text.ts'
import { query, type Reader } from '../db/database.ts'
import { specOf } from '../fills/specs.ts'

type OpenRow = { account: string; contract: string; end_position: string }
type HeldRow = { account: string; currency: string; commission: Amount }

const openSql = `SELECT account, contract, end_position FROM batches AS last WHERE user_id = ? AND ends_open = 1
  AND NOT EXISTS (SELECT 1 FROM batches WHERE user_id = last.user_id AND account = last.account AND contract = last.contract AND local_date > last.local_date)`
const heldSql = `SELECT account_id AS account, currency, sum(commission) AS commission FROM trades
  WHERE user_id = ? AND exit_time >= ? AND entry_time < ? AND trading_day >= ? GROUP BY account_id, currency`

/** The most fees that an account's balance may include for contracts whose trades were not closed before the trading day `day`, 1/10,000 of the currency. */
export const openCosts = (reader: Reader, userId: string, day: string): ((account: string, currency: string) => Amount) => {
  const costs = new Map<string, number>()
  const add = (account: string, currency: string, amount: number): void => void costs.set(`${currency} ${account}`, (costs.get(`${currency} ${account}`) ?? 0) + amount)
  for (const { account, contract, end_position } of query<OpenRow>(reader, openSql).all(userId)) {
    const spec = specOf(reader, userId, contract)
    for (const { fill } of openLots(decodePosition(end_position, spec))) add(account, spec.currency, fill.fee ?? spec.feePerSide * fill.qty)
  }
  const { opens } = sessionOf(day)
  for (const { account, currency, commission } of query<HeldRow>(reader, heldSql).all(userId, opens, opens, day)) add(account, currency, commission)
  return (account, currency) => amountOf(costs.get(`${currency} ${account}`) ?? zero)
}
