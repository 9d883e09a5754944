import { and, eq, inArray, max, ne } from 'drizzle-orm'
import type { GroupDraft } from '#shared/api/copier.ts'
import { atomically, change, type Reader, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import type { LeaderOrder, SavedFill, SavedFollower, SavedGroup, SavedLeader, SavedStance } from './rows.ts'
import { armings, events, followers as followerTable, groups as table, intents, leaderFills as fillTable, leaders as leaderTable, notSent, orders, stances as stanceTable } from './schema.ts'

/** All existing groups in creation order. */
export const groups = ({ orm }: Reader): SavedGroup[] =>
  orm.select().from(table).where(eq(table.removed, false)).orderBy(table.ref).all().map(({ id, userId, draft, state }) => ({ ...(JSON.parse(draft) as GroupDraft), id, userId, state }))

/** Saves a group's draft and leaves its state unchanged; a new one is off. The fills of another leader are deleted. Throws `not-found` if the id is another user's. */
export const saveGroup = (writer: Writer, { userId, id, draft: given }: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }): void =>
  atomically(writer, () => {
    const { orm } = writer
    const draft = JSON.stringify(given)
    const { changes } = orm.insert(table).values({ id, userId, draft, state: 'off' }).onConflictDoUpdate({ target: table.id, set: { draft, removed: false }, setWhere: eq(table.userId, userId) }).run()
    if (changes === 0) throw storeFault('not-found', 'This group belongs to somebody else')
    orm.delete(fillTable).where(and(eq(fillTable.groupId, id), ne(fillTable.account, given.leader))).run()
  })

/** Removes a group and its followers' state; its ledger stays. */
export const removeGroup = (writer: Writer, id: string): void =>
  atomically(writer, () => {
    const { orm } = writer
    for (const rows of [followerTable, stanceTable, leaderTable, fillTable]) orm.delete(rows).where(eq(rows.groupId, id)).run()
    orm.update(table).set({ removed: true, state: 'off' }).where(eq(table.id, id)).run()
  })

/** Deletes a user's groups, removed ones too, with their ledger. Works on files of every version that has these tables. */
export const deleteUser = (writer: Writer, userId: string): void =>
  atomically(writer, () => {
    const { orm } = writer
    const ofUser = orm.select({ id: table.id }).from(table).where(eq(table.userId, userId))
    // Children first; an order's event belongs to its group.
    const ofEvents = orm.select({ id: events.id }).from(events).where(inArray(events.groupId, ofUser))
    for (const event of [notSent.cause, intents.event, orders.cause]) orm.delete(event.table).where(inArray(event, ofEvents)).run()
    for (const rows of [armings, events, stanceTable, leaderTable, fillTable, followerTable]) orm.delete(rows).where(inArray(rows.groupId, ofUser)).run()
    orm.delete(table).where(eq(table.userId, userId)).run()
  })

/** Sets a group's state. Throws `not-found` if it does not exist. */
export const setGroupState = (writer: Writer, id: string, state: SavedGroup['state']): void =>
  atomically(writer, () => {
    const { orm } = writer
    const before = orm.select({ state: table.state }).from(table).where(and(eq(table.id, id), eq(table.removed, false))).get()
    if (before === undefined) throw storeFault('not-found', 'There is no such group')
    const after = orm.select({ newest: max(events.id) }).from(events).get()?.newest ?? 0
    const wasOff = before.state === 'off'
    if (wasOff && state !== 'off') orm.insert(armings).values({ groupId: id, after }).onConflictDoNothing().run()
    orm.update(table).set(wasOff ? { state, armedAfter: after } : { state }).where(eq(table.id, id)).run()
  })

/** A group's saved followers. */
export const followers = ({ orm }: Reader, groupId: string): SavedFollower[] => orm.select().from(followerTable).where(eq(followerTable.groupId, groupId)).orderBy(followerTable.account).all()

/** Saves followers. */
export const saveFollowers = ({ orm }: Writer, rows: readonly SavedFollower[]): void => {
  for (const follower of rows) orm.insert(followerTable).values(follower).onConflictDoUpdate({ target: [followerTable.groupId, followerTable.account], set: follower }).run()
}

/** A group's saved stances. */
export const stances = ({ orm }: Reader, groupId: string): SavedStance[] =>
  orm.select().from(stanceTable).where(eq(stanceTable.groupId, groupId)).orderBy(stanceTable.account, stanceTable.contract).all().map(({ takenTime, takenId, ...row }) => ({ ...row, taken: { time: takenTime, id: takenId } }))

const isNothing = ({ held, yours, base, apart, needsDecision, taken }: SavedStance): boolean => held === 0 && yours === 0 && base === 0 && apart === 0 && !needsDecision && taken.id === 0

// Raw SQL from here on: the benchmark `copier` saves what fifty followers hold with it, in the thread that copies the next fill.
/** Saves stances; an all-zero one without a question or a counted fill is deleted. */
export const saveStances = (writer: Writer, rows: readonly SavedStance[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO stances (group_id, account, contract, held, yours, base, apart, why, asks, taken_time, taken_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = change(writer, 'DELETE FROM stances WHERE group_id = ? AND account = ? AND contract = ?')
  for (const row of rows) {
    const { groupId, account, contract, held, yours, base, apart, why, needsDecision, taken } = row
    if (isNothing(row)) remove.run(groupId, account, contract)
    else put.run(groupId, account, contract, held, yours, base, apart, why, needsDecision ? 1 : 0, taken.time, taken.id)
  }
}

/** A group's last known leader positions. */
export const leaders = ({ orm }: Reader, groupId: string): SavedLeader[] =>
  orm.select().from(leaderTable).where(eq(leaderTable.groupId, groupId)).orderBy(leaderTable.contract).all().map(({ takenTime, takenId, ...row }) => ({ ...row, taken: { time: takenTime, id: takenId } }))

/** Saves a group's leader positions. */
export const saveLeaders = (writer: Writer, rows: readonly SavedLeader[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO leaders (group_id, contract, net, taken_time, taken_id) VALUES (?, ?, ?, ?, ?)')
  for (const { groupId, contract, net, taken } of rows) put.run(groupId, contract, net, taken.time, taken.id)
}

/** The kept fills of a group's leader. */
export const leaderFills = ({ orm }: Reader, groupId: string): SavedFill[] =>
  orm.select().from(fillTable).where(eq(fillTable.groupId, groupId)).all().map(({ at, ...row }) => ({ ...row, time: at }))

/** Saves fills of leaders' orders. */
export const saveLeaderFills = (writer: Writer, rows: readonly SavedFill[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO leader_fills (group_id, account, order_id, id, qty, active, at) VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const { groupId, account, orderId, id, qty, active, time } of rows) put.run(groupId, account, orderId, id, qty, Number(active), time)
}

/** Deletes the fills of leaders' orders that are over. */
export const deleteLeaderOrders = (writer: Writer, rows: readonly LeaderOrder[]): void => {
  const remove = change(writer, 'DELETE FROM leader_fills WHERE group_id = ? AND account = ? AND order_id = ?')
  for (const { groupId, account, orderId } of rows) remove.run(groupId, account, orderId)
}
