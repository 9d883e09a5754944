import { eq } from 'drizzle-orm'
import type { GroupDraft } from '#shared/api/copier.ts'
import { atomically, change, type Reader, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import type { LeaderOrder, SavedFill, SavedFollower, SavedGroup, SavedLeader, SavedStance } from './rows.ts'
import { followers as followerTable, groups as table, leaderFills as fillTable, leaders as leaderTable, stances as stanceTable } from './schema.ts'

/** All existing groups in creation order. */
export const groups = ({ orm }: Reader): SavedGroup[] =>
  orm.select().from(table).where(eq(table.removed, false)).orderBy(table.ref).all().map(({ id, userId, draft, state }) => ({ ...(JSON.parse(draft) as GroupDraft), id, userId, state }))

/** Saves a group's draft and leaves its state unchanged; a new one is off. The fills of another leader are deleted. Throws `not-found` if the id is another user's. */
export const saveGroup = (writer: Writer, { userId, id, draft }: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }): void =>
  atomically(writer, () => {
    const sql = `INSERT INTO groups (id, user_id, draft, state) VALUES (?, ?, ?, 'off')
      ON CONFLICT (id) DO UPDATE SET draft = excluded.draft, removed = 0 WHERE user_id = excluded.user_id`
    if (change(writer, sql).run(id, userId, JSON.stringify(draft)).changes === 0) throw storeFault('not-found', 'This group belongs to somebody else')
    change(writer, 'DELETE FROM leader_fills WHERE group_id = ? AND account <> ?').run(id, draft.leader)
  })

/** Removes a group and its followers' state; its ledger stays. */
export const removeGroup = (writer: Writer, id: string): void =>
  atomically(writer, () => {
    change(writer, 'DELETE FROM followers WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM stances WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM leaders WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM leader_fills WHERE group_id = ?').run(id)
    change(writer, "UPDATE groups SET removed = 1, state = 'off' WHERE id = ?").run(id)
  })

// Children first; an order's event belongs to its group.
const ofUser = 'IN (SELECT id FROM groups WHERE user_id = ?)'
const ofEvents = `event IN (SELECT id FROM events WHERE group_id ${ofUser})`
const leftByUser = [
  ...['not_sent', 'intents', 'orders'].map((table) => `DELETE FROM ${table} WHERE ${ofEvents}`),
  ...['armings', 'events', 'stances', 'leaders', 'leader_fills', 'followers'].map((table) => `DELETE FROM ${table} WHERE group_id ${ofUser}`),
  'DELETE FROM groups WHERE user_id = ?',
]

/** Deletes a user's groups, removed ones too, with their ledger. */
export const forgetUser = (writer: Writer, userId: string): void =>
  atomically(writer, () => {
    for (const sql of leftByUser) change(writer, sql).run(userId)
  })

/** Sets a group's state. Throws `not-found` if it does not exist. */
export const setGroupState = (writer: Writer, id: string, state: SavedGroup['state']): void => {
  change(writer, `INSERT OR IGNORE INTO armings (group_id, after) SELECT id, (SELECT COALESCE(max(id), 0) FROM events) FROM groups WHERE id = ? AND state = 'off' AND ? <> 'off' AND removed = 0`).run(id, state)
  const sql = `UPDATE groups SET armed_after = CASE state WHEN 'off' THEN (SELECT COALESCE(max(id), 0) FROM events) ELSE armed_after END, state = ? WHERE id = ? AND removed = 0`
  if (change(writer, sql).run(state, id).changes === 0) throw storeFault('not-found', 'There is no such group')
}

/** A group's saved followers. */
export const followers = ({ orm }: Reader, groupId: string): SavedFollower[] => orm.select().from(followerTable).where(eq(followerTable.groupId, groupId)).orderBy(followerTable.account).all()

/** Saves followers. */
export const saveFollowers = ({ orm }: Writer, rows: readonly SavedFollower[]): void => {
  for (const follower of rows) orm.insert(followerTable).values(follower).onConflictDoUpdate({ target: [followerTable.groupId, followerTable.account], set: follower }).run()
}

/** A group's saved stances. */
export const stances = ({ orm }: Reader, groupId: string): SavedStance[] =>
  orm.select().from(stanceTable).where(eq(stanceTable.groupId, groupId)).orderBy(stanceTable.account, stanceTable.contract).all().map(({ takenTime, takenId, ...row }) => ({ ...row, taken: { time: takenTime, id: takenId } }))

const isNothing = ({ held, yours, base, apart, asks, taken }: SavedStance): boolean => held === 0 && yours === 0 && base === 0 && apart === 0 && !asks && taken.id === 0

/** Saves stances; an all-zero one without a question or a counted fill is deleted. */
export const saveStances = (writer: Writer, rows: readonly SavedStance[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO stances (group_id, account, contract, held, yours, base, apart, why, asks, taken_time, taken_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const forget = change(writer, 'DELETE FROM stances WHERE group_id = ? AND account = ? AND contract = ?')
  for (const row of rows) {
    const { groupId, account, contract, held, yours, base, apart, why, asks, taken } = row
    if (isNothing(row)) forget.run(groupId, account, contract)
    else put.run(groupId, account, contract, held, yours, base, apart, why, asks ? 1 : 0, taken.time, taken.id)
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

/** Keeps fills of leaders' orders. */
export const saveLeaderFills = (writer: Writer, rows: readonly SavedFill[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO leader_fills (group_id, account, order_id, id, qty, active, at) VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const { groupId, account, orderId, id, qty, active, time } of rows) put.run(groupId, account, orderId, id, qty, Number(active), time)
}

/** Forgets the fills of leaders' orders that are over. */
export const forgetLeaderOrders = (writer: Writer, rows: readonly LeaderOrder[]): void => {
  const forget = change(writer, 'DELETE FROM leader_fills WHERE group_id = ? AND account = ? AND order_id = ?')
  for (const { groupId, account, orderId } of rows) forget.run(groupId, account, orderId)
}
