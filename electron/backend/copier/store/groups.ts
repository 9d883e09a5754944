import type { GroupDraft } from '#shared/api/copier.ts'
import { atomically, change, query, type Reader, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import type { SavedFollower, SavedGroup, SavedLeader, SavedStance } from './rows.ts'

type GroupRow = { readonly id: string; readonly userId: string; readonly draft: string; readonly state: SavedGroup['state'] }
type TakenRow = { readonly takenTime: number; readonly takenId: number }
type StanceRow = Omit<SavedStance, 'asks' | 'taken'> & TakenRow & { readonly asks: number }
type LeaderRow = Omit<SavedLeader, 'taken'> & TakenRow

/** All existing groups in creation order. */
export const groups = (reader: Reader): SavedGroup[] =>
  query<GroupRow>(reader, 'SELECT id, user_id AS userId, draft, state FROM groups WHERE removed = 0 ORDER BY ref')
    .all()
    .map(({ id, userId, draft, state }) => ({ ...(JSON.parse(draft) as GroupDraft), id, userId, state }))

/** Saves a group's draft and leaves its state unchanged; a new one is off. Throws `not-found` if the id is another user's. */
export const saveGroup = (writer: Writer, { userId, id, draft }: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }): void => {
  const sql = `INSERT INTO groups (id, user_id, draft, state) VALUES (?, ?, ?, 'off')
    ON CONFLICT (id) DO UPDATE SET draft = excluded.draft, removed = 0 WHERE user_id = excluded.user_id`
  if (change(writer, sql).run(id, userId, JSON.stringify(draft)).changes === 0) throw storeFault('not-found', 'This group belongs to somebody else')
}

/** Removes a group and its followers' state; its ledger stays. */
export const removeGroup = (writer: Writer, id: string): void =>
  atomically(writer, () => {
    change(writer, 'DELETE FROM followers WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM stances WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM leaders WHERE group_id = ?').run(id)
    change(writer, "UPDATE groups SET removed = 1, state = 'off' WHERE id = ?").run(id)
  })

// Children first; an order's event belongs to its group.
const ofUser = 'IN (SELECT id FROM groups WHERE user_id = ?)'
const ofEvents = `event IN (SELECT id FROM events WHERE group_id ${ofUser})`
const leftByUser = [
  ...['not_sent', 'intents', 'orders'].map((table) => `DELETE FROM ${table} WHERE ${ofEvents}`),
  ...['events', 'stances', 'leaders', 'followers'].map((table) => `DELETE FROM ${table} WHERE group_id ${ofUser}`),
  'DELETE FROM groups WHERE user_id = ?',
]

/** Deletes a user's groups, removed ones too, with their ledger. */
export const forgetUser = (writer: Writer, userId: string): void =>
  atomically(writer, () => {
    for (const sql of leftByUser) change(writer, sql).run(userId)
  })

/** Sets a group's state. Throws `not-found` if it does not exist. */
export const setGroupState = (writer: Writer, id: string, state: SavedGroup['state']): void => {
  const sql = `UPDATE groups SET armed_after = CASE state WHEN 'off' THEN (SELECT COALESCE(max(id), 0) FROM events) ELSE armed_after END, state = ? WHERE id = ? AND removed = 0`
  if (change(writer, sql).run(state, id).changes === 0) throw storeFault('not-found', 'There is no such group')
}

/** A group's saved followers. */
export const followers = (reader: Reader, groupId: string): SavedFollower[] =>
  query<Omit<SavedFollower, 'asksFirst' | 'closing'> & { readonly asksFirst: number; readonly closing: number }>(reader, 'SELECT group_id AS groupId, account, lock, rejects, day, asks_first AS asksFirst, closing FROM followers WHERE group_id = ? ORDER BY account')
    .all(groupId)
    .map(({ asksFirst, closing, ...row }) => ({ ...row, asksFirst: asksFirst === 1, closing: closing === 1 }))

/** Saves one follower. */
export const saveFollower = (writer: Writer, { groupId, account, lock, rejects, day, asksFirst, closing }: SavedFollower): void => {
  change(writer, 'INSERT OR REPLACE INTO followers (group_id, account, lock, rejects, day, asks_first, closing) VALUES (?, ?, ?, ?, ?, ?, ?)').run(groupId, account, lock, rejects, day, asksFirst ? 1 : 0, closing ? 1 : 0)
}

/** A group's saved stances. */
export const stances = (reader: Reader, groupId: string): SavedStance[] =>
  query<StanceRow>(reader, 'SELECT group_id AS groupId, account, contract, held, yours, base, apart, why, asks, taken_time AS takenTime, taken_id AS takenId FROM stances WHERE group_id = ? ORDER BY account, contract')
    .all(groupId)
    .map(({ asks, takenTime, takenId, ...row }) => ({ ...row, asks: asks === 1, taken: { time: takenTime, id: takenId } }))

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
export const leaders = (reader: Reader, groupId: string): SavedLeader[] =>
  query<LeaderRow>(reader, 'SELECT group_id AS groupId, contract, net, taken_time AS takenTime, taken_id AS takenId FROM leaders WHERE group_id = ? ORDER BY contract')
    .all(groupId)
    .map(({ takenTime, takenId, ...row }) => ({ ...row, taken: { time: takenTime, id: takenId } }))

/** Saves a group's leader positions. */
export const saveLeaders = (writer: Writer, rows: readonly SavedLeader[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO leaders (group_id, contract, net, taken_time, taken_id) VALUES (?, ?, ?, ?, ?)')
  for (const { groupId, contract, net, taken } of rows) put.run(groupId, contract, net, taken.time, taken.id)
}
