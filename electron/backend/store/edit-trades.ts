import { and, eq } from 'drizzle-orm'
import type { NewTrade, Trade, TradeUpdates } from '#shared/api/records.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { query, type Writer } from './database.ts'
import { deriveAgain } from './derive-again.ts'
import { enteredTrade } from './entered-trade.ts'
import { noteChange } from './outbox.ts'
import type { Write } from './part.ts'
import { removeAccount } from './remove-account.ts'
import { tradeEdits, trades } from './schema/journal.ts'
import { specOf } from './specs.ts'
import { trade as readTrade } from './trades.ts'
import { zoneOf } from './zone.ts'

const userFields = ['notes', 'tags', 'stop', 'screenshot', 'screenshotHeadline', 'screenshot2', 'screenshot2Headline'] as const
type Edit = Partial<Omit<typeof tradeEdits.$inferInsert, 'userId' | 'tradeId'>>

const editOf = (given: TradeUpdates): Edit => {
  const { tags, ...rest } = Object.fromEntries(userFields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))) as TradeUpdates
  return { ...rest, ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }) } as Edit
}

const saveEdit = ({ orm }: Writer, userId: string, tradeId: string, edit: Edit): void => {
  if (Object.keys(edit).length === 0) return
  orm.insert(tradeEdits).values({ userId, tradeId, ...edit }).onConflictDoUpdate({ target: [tradeEdits.userId, tradeEdits.tradeId], set: edit }).run()
}

const kept = (writer: Writer, userId: string, id: string): Trade => {
  const trade = readTrade(writer, { userId, id })
  if (trade === null) throw new Error('A trade that was just written is not in view')
  return trade
}

const put = (writer: Writer, userId: string, trade: NewTrade): Result<void, 'unreadable-price' | 'exit-before-entry'> => {
  if (Date.parse(trade.exitTime) < Date.parse(trade.entryTime)) return err('exit-before-entry')
  const entered = enteredTrade(userId, trade, specOf(writer, userId, trade.symbol), zoneOf(writer, userId))
  if (!entered.ok) return entered
  writer.orm.insert(trades).values(entered.value).onConflictDoUpdate({ target: [trades.userId, trades.id], set: entered.value }).run()
  noteChange(writer, userId, 'trade', trade.id, 'put')
  return ok(undefined)
}

export const addTrade: Write<'addTrade'> = (writer, { userId, trade }) => {
  const origin = query<{ origin: string }>(writer, 'SELECT origin FROM trades WHERE user_id = ? AND id = ?').get(userId, trade.id)?.origin
  // The same id again is a save that is tried again, unless it names a trade of the broker.
  if (origin === 'synced') return err('id-taken')
  const done = put(writer, userId, trade)
  if (!done.ok) return done
  saveEdit(writer, userId, trade.id, { ...editOf(trade), removedAt: null })
  return ok(kept(writer, userId, trade.id))
}

type Worked = { net: number; commission: number; multiplier_source: string; fee_source: string }

const inUnits = (amount: number): string => {
  const digits = String(Math.abs(amount)).padStart(5, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** An entered trade as it would be entered again: what was worked out is left to be worked out. */
const asEntered = (writer: Writer, trade: Trade): NewTrade => {
  const sql = 'SELECT net, commission, multiplier_source, fee_source FROM trades WHERE user_id = ? AND id = ?'
  const worked = query<Worked>(writer, sql).get(trade.userId, trade.id)
  return {
    ...{ id: trade.id, symbol: trade.symbol, account: trade.account, accountId: trade.accountId, side: trade.side, qty: trade.qty, platform: trade.platform },
    ...{ entryPrice: trade.entryPrice, exitPrice: trade.exitPrice, entryTime: trade.entryTime, exitTime: trade.exitTime, date: trade.date },
    ...(worked?.multiplier_source === 'entered' ? { pnl: Number(inUnits(worked.net)) } : {}),
    ...(worked?.fee_source === 'entered' ? { commission: inUnits(worked.commission) } : {}),
  }
}

export const updateTrade: Write<'updateTrade'> = (writer, { userId, id, updates }) => {
  const before = readTrade(writer, { userId, id })
  if (before === null) return err('not-found')
  const isUserField = (name: string) => (userFields as readonly string[]).includes(name)
  const facts = Object.fromEntries(Object.entries(updates).filter(([name, value]) => !isUserField(name) && value !== undefined))
  if (Object.keys(facts).length > 0) {
    if (before.origin === 'synced') return err('read-only-field')
    const { date, ...entered } = asEntered(writer, before)
    const done = put(writer, userId, { ...entered, ...('exitTime' in facts || date === undefined ? {} : { date }), ...facts })
    if (!done.ok) return done
  }
  saveEdit(writer, userId, id, editOf(updates))
  noteChange(writer, userId, 'trade', id, 'put')
  return ok(kept(writer, userId, id))
}

export const removeTrade: Write<'removeTrade'> = (writer, { userId, at, id }) => {
  const before = readTrade(writer, { userId, id })
  if (before === null) return false
  saveEdit(writer, userId, id, { removedAt: at })
  noteChange(writer, userId, 'trade', id, 'remove')
  // Its trip is told without it, wherever that was written.
  if (before.tripId !== null) {
    const where = 'account = ? AND contract = ? AND local_date IN (SELECT batch_date FROM trips WHERE user_id = batches.user_id AND id = ?)'
    deriveAgain(writer, { userId, where, values: [before.accountId, before.symbol, before.tripId] })
  }
  return true
}

export const removeTradesOfAccount: Write<'removeTradesOfAccount'> = (writer, { userId, at, accountId }) => {
  if (removeAccount(writer, { userId, at, account: accountId }) !== null) return
  const entered = writer.orm.select({ id: trades.id }).from(trades).where(and(eq(trades.userId, userId), eq(trades.accountId, accountId))).all()
  for (const { id } of entered) removeTrade(writer, { userId, at, id })
}
