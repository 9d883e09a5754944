import type { z } from 'zod'
import { err, ok } from '#shared/base/result.ts'
import type { BrokerFailure } from '../failure.ts'
import type { BrokerAnswer } from '../port.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { Login } from './login.ts'
import * as wire from './wire.ts'
import { readRow, readRows } from './wire.ts'

/** The broker answers 404 for more than about ten ids. */
const mostIds = 10

/** Rows by id, and the ids unknown to the broker. */
export type FoundRows<T> = wire.Rows<T> & { readonly missing: readonly number[] }

const chunksOf = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, index) => ids.slice(index * mostIds, (index + 1) * mostIds))

const isUnknown = (failure: BrokerFailure): boolean => failure.kind === 'not-found'

/** The journal's reads of one broker side under one login. */
export type BrokerReads = ReturnType<typeof createReads>

/** The reads of one broker side. Each returns the readable and the rejected rows, or the failure. */
export const createReads = (login: Login, environment: Environment) => {
  const rowsAt = async <T>(entity: string, schema: z.core.$ZodType<T>, operation: string, query: Record<string, string>, signal: AbortSignal): BrokerAnswer<wire.Rows<T>> => {
    const answer = await login.read({ environment, path: `/${entity}/${operation}`, query }, signal)
    if (!answer.ok) return answer
    const rows = readRows(entity, schema, answer.value)
    return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows)
  }

  const list = <T>(entity: string, schema: z.core.$ZodType<T>, signal: AbortSignal): BrokerAnswer<wire.Rows<T>> => rowsAt(entity, schema, 'list', {}, signal)

  const single = async <T>(entity: string, schema: z.core.$ZodType<T>, id: number, signal: AbortSignal): BrokerAnswer<wire.Rows<T>> => {
    const answer = await login.read({ environment, path: `/${entity}/item`, query: { id: String(id) } }, signal)
    if (!answer.ok) return isUnknown(answer.error) ? ok({ rows: [], refused: [] }) : answer
    const read = readRow(entity, schema, answer.value)
    return ok('row' in read ? { rows: [read.row], refused: [] } : { rows: [], refused: [read.refusal] })
  }

  /** An answer may leave ids out, and one unknown id may turn it into a 404: missing ids are requested singly. */
  const byIds = async <T extends { id: number }>(entity: string, schema: z.core.$ZodType<T>, ids: readonly number[], signal: AbortSignal): BrokerAnswer<FoundRows<T>> => {
    const rows: T[] = []
    const refused: wire.RefusedRow[] = []
    const answered = new Set<string>()
    const take = (more: wire.Rows<T>): void => {
      for (const row of more.rows) {
        if (!answered.has(String(row.id))) rows.push(row)
        answered.add(String(row.id))
      }
      refused.push(...more.refused)
      for (const { id } of more.refused) if (id !== null) answered.add(id)
    }
    const wanted = [...new Set(ids)]
    for (const chunk of chunksOf(wanted)) {
      const batch = await rowsAt(entity, schema, 'items', { ids: chunk.join(',') }, signal)
      if (batch.ok) take(batch.value)
      else if (!isUnknown(batch.error)) return batch
      for (const id of chunk.filter((asked) => !answered.has(String(asked)))) {
        const one = await single(entity, schema, id, signal)
        if (!one.ok) return one
        take(one.value)
      }
    }
    return ok({ rows, refused, missing: wanted.filter((id) => !answered.has(String(id))) })
  }

  const users = (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.UserRow>> => list('user', wire.userRow, signal)

  // Some logins get an empty list without a user id.
  const accounts = async (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.WireAccount>> => {
    const plain = await list('account', wire.accountRow, signal)
    if (!plain.ok || plain.value.rows.length + plain.value.refused.length > 0) return plain
    const own = await users(signal)
    const userId = own.ok ? own.value.rows[0]?.id : undefined
    return userId === undefined ? plain : rowsAt('account', wire.accountRow, 'list', { userId: String(userId) }, signal)
  }

  const orders = async (orderIds: Iterable<number>, signal: AbortSignal): BrokerAnswer<FoundRows<wire.OrderRow>> => {
    const listed = await list('order', wire.orderRow, signal)
    if (!listed.ok) return listed
    const known = new Set(listed.value.rows.map((row) => row.id))
    const rest = await byIds('order', wire.orderRow, [...orderIds].filter((id) => !known.has(id)), signal)
    if (!rest.ok) return rest
    const { rows, refused, missing } = rest.value
    return ok({ rows: [...listed.value.rows, ...rows], refused: [...listed.value.refused, ...refused], missing })
  }

  const feesOf = async (fillIds: readonly number[], signal: AbortSignal): BrokerAnswer<wire.Rows<wire.FillFeeRow>> => {
    const rows: wire.FillFeeRow[] = []
    const refused: wire.RefusedRow[] = []
    for (const chunk of chunksOf(fillIds)) {
      const batch = await rowsAt('fillFee', wire.fillFeeRow, 'ldeps', { masterids: chunk.join(',') }, signal)
      if (!batch.ok && !isUnknown(batch.error)) return batch
      if (batch.ok) {
        rows.push(...batch.value.rows)
        refused.push(...batch.value.refused)
      }
      if (rows.length + refused.length === 0) break
    }
    return ok({ rows, refused })
  }

  const feeList = async (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.FillFeeRow> | null> => {
    const listed = await list('fillFee', wire.fillFeeRow, signal)
    if (!listed.ok) return isUnknown(listed.error) ? ok(null) : listed
    return ok(listed.value.rows.length + listed.value.refused.length > 0 ? listed.value : null)
  }

  const snapshot = async (accountId: number, signal: AbortSignal): BrokerAnswer<wire.SnapshotAnswer> => {
    const answer = await login.read({ environment, path: '/cashBalance/getcashbalancesnapshot', body: { accountId } }, signal)
    if (!answer.ok) return answer
    const { data } = wire.snapshotAnswer.safeParse(answer.value)
    return data === undefined ? err({ kind: 'unreadable-answer' }) : ok(data)
  }

  return {
    users,
    accounts,
    cashBalances: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.CashBalanceRow>> => list('cashBalance', wire.cashBalanceRow, signal),
    snapshot,
    currencies: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.CurrencyRow>> => list('currency', wire.currencyRow, signal),
    /** Fills of the running session, of all accounts of the login. */
    fills: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.WireFill>> => list('fill', wire.fillRow, signal),
    /** Fills by id, those of earlier sessions too if the broker still has them. */
    fillsOf: (ids: readonly number[], signal: AbortSignal): BrokerAnswer<FoundRows<wire.WireFill>> => byIds('fill', wire.fillRow, ids, signal),
    /** Positions of the running session, flat ones and carried ones too. */
    positions: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.PositionRow>> => list('position', wire.positionRow, signal),
    /** The broker's fill pairs of the current session. */
    fillPairs: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.FillPairRow>> => list('fillPair', wire.fillPairRow, signal),
    /** Orders of the current session, and those of `orderIds` missing from the list. */
    orders,
    /** The versions of the current session's orders: their requested prices and quantities. */
    orderVersions: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.OrderVersionRow>> => list('orderVersion', wire.orderVersionRow, signal),
    /** What became of the commands of the current session, with the times. */
    executionReports: (signal: AbortSignal): BrokerAnswer<wire.Rows<wire.ExecutionReportRow>> => list('executionReport', wire.executionReportRow, signal),
    /** The current session's fees as one list; null if missing or empty: then request them by fill. */
    feeList,
    /** Fees of these fills of any session, ten at a time; stops if the first ten have none. */
    feesOf,
    contracts: (ids: readonly number[], signal: AbortSignal): BrokerAnswer<FoundRows<wire.ContractRow>> => byIds('contract', wire.contractRow, ids, signal),
    maturities: (ids: readonly number[], signal: AbortSignal): BrokerAnswer<FoundRows<wire.MaturityRow>> => byIds('contractMaturity', wire.maturityRow, ids, signal),
    products: (ids: readonly number[], signal: AbortSignal): BrokerAnswer<FoundRows<wire.ProductRow>> => byIds('product', wire.productRow, ids, signal),
  }
}
