import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { commissionName } from '#shared/mirror/record.ts'
import { upsertRate, rateOf } from './commissions.ts'
import type { Writer } from '../db/database.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { commissionRates } from '../db/schema/own-data.ts'
import { queueChange } from '../db/outbox.ts'
import { upsertRules, rulesOf } from './account-rules.ts'
import { mintStamp } from '../db/stamps.ts'

/**
 * Moves the user's settings of an account to the account that it turns out to be: its rates and rules, its leader, and
 * its copies. Existing settings of the other account stay. Runs in the caller's transaction; `deriveStale` must follow.
 */
export const moveOwn = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  moveRates(writer, userId, at, from, to)
  moveRules(writer, userId, at, from, to)
  moveMarks(writer, userId, at, from, to)
}

const moveRates = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const isOfAccount = and(eq(commissionRates.userId, userId), eq(commissionRates.scope, 'account'), eq(commissionRates.of, from))
  const products = writer.orm.select({ product: commissionRates.product }).from(commissionRates).where(and(isOfAccount, isNotNull(commissionRates.perSide))).all()
  for (const { product } of products) {
    const [rate, known] = [from, to].map((of) => rateOf(writer, userId, { scope: 'account', of, product }))
    if (rate === null || rate === undefined || (known ?? null) !== null) continue
    const moved = { ...rate, of: to, stamp: mintStamp(writer, at) }
    upsertRate(writer, userId, at, moved)
    queueChange(writer, userId, at, 'commission', commissionName(moved))
  }
}

const moveRules = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const [rules, known] = [from, to].map((account) => rulesOf(writer, userId, account))
  if (rules === null || rules === undefined || (known ?? null) !== null) return
  upsertRules(writer, userId, to, { ...rules, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'rules', to)
}

const moveMarks = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const { orm } = writer
  const isIt = (account: AccountKey) => and(eq(accounts.userId, userId), eq(accounts.key, account))
  const leaderOf = (account: AccountKey): string | null => orm.select({ leader: accounts.copyOf }).from(accounts).where(isIt(account)).get()?.leader ?? null
  const mark = (account: AccountKey, leader: string): void => {
    orm.update(accounts).set({ copyOf: leader, stamp: mintStamp(writer, at) }).where(isIt(account)).run()
    queueChange(writer, userId, at, 'account', account)
  }
  const leader = leaderOf(from)
  if (leader !== null && leader !== to && leaderOf(to) === null) mark(to, leader)
  const copies = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.copyOf, from), ne(accounts.key, to))).all()
  for (const { key } of copies) mark(key, to)
}

/** Moves the earnings and expenses of an account to the account that it turns out to be. */
export const moveBooks = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const { orm } = writer
  for (const { id } of orm.select({ id: finances.id }).from(finances).where(and(eq(finances.userId, userId), eq(finances.account, from))).all()) {
    orm.update(finances).set({ account: to, stamp: mintStamp(writer, at) }).where(and(eq(finances.userId, userId), eq(finances.id, id))).run()
    queueChange(writer, userId, at, 'finance', id)
  }
}
