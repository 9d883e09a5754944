import type { AccountFill } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { parsePrice } from '#shared/money/price.ts'
import { query } from '../db/database.ts'
import type { At, OfUser, Taken } from '../db/rows.ts'
import { specOf } from './specs.ts'
import { takeFills } from './take-fills.ts'
import type { Taking } from '../db/barrier.ts'

/** Adds one fill of the spec's call: the account by our id or the broker's, the contract by its symbol or the broker's id. */
export const addFill = async (taking: Taking, { userId, at, fill }: OfUser & At & { readonly fill: AccountFill }): Promise<Result<Taken, 'not-found' | 'off-tick'>> => {
  const { writer } = taking
  const accounts = query<{ key: AccountKey }>(writer, 'SELECT key FROM accounts WHERE user_id = ? AND removed_at IS NULL AND (key = ? OR broker_account_id = ?)')
  const contracts = query<{ contract: string }>(writer, 'SELECT contract FROM contracts WHERE user_id = ? AND broker_contract_id = ?')
  const found = accounts.all(userId, fill.accountId, fill.accountId).map(({ key }) => key)
  // The broker's number may mean an account on either side, live or demo: then only our id is unambiguous.
  const account = found.find((key) => key === fill.accountId) ?? (found.length === 1 ? found[0] : undefined)
  const contract = fill.contractSymbol ?? contracts.get(userId, fill.contractId)?.contract
  if (account === undefined || contract === undefined) return err('not-found')
  const spec = specOf(writer, userId, contract)
  const price = parsePrice(fill.price, spec.tickSize)
  if (!price.ok) return err('off-tick')
  const { id, qty, action: side, contractId } = fill
  const taken = { id, account, contract, time: Date.parse(fill.timestamp), side, qty, price: price.value, fee: null, active: true, source: 'handed-in', orderId: null, contractId, tradeDate: null } as const
  return ok(await takeFills(taking, { userId, at, fills: [taken], specs: [spec] }))
}
