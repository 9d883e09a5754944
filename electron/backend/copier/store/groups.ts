import type { GroupDraft } from '#shared/api/copier.ts'
import { atomically, change, query, type Reader, type Writer } from '../../db/database.ts'
import { storeFault } from '../../db/fault.ts'
import type { KeptFollower, KeptGroup, KeptLeader, KeptStance } from './rows.ts'

type GroupRow = { readonly id: string; readonly userId: string; readonly draft: string; readonly state: KeptGroup['state'] }
type TakenRow = { readonly takenTime: number; readonly takenId: number }
type StanceRow = Omit<KeptStance, 'asks' | 'taken'> & TakenRow & { readonly asks: number }
type LeaderRow = Omit<KeptLeader, 'taken'> & TakenRow

/** Every group that stands, in the order in which they were made. */
export const groups = (reader: Reader): KeptGroup[] =>
  query<GroupRow>(reader, 'SELECT id, user_id AS userId, draft, state FROM groups WHERE removed = 0 ORDER BY ref')
    .all()
    .map(({ id, userId, draft, state }) => ({ ...(JSON.parse(draft) as GroupDraft), id, userId, state }))

/** Keeps a group as it is written, and leaves its state as it is; a new one is off. Throws `not-found` where the id is another user's. */
export const saveGroup = (writer: Writer, { userId, id, draft }: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }): void => {
  const sql = `INSERT INTO groups (id, user_id, draft, state) VALUES (?, ?, ?, 'off')
    ON CONFLICT (id) DO UPDATE SET draft = excluded.draft, removed = 0 WHERE user_id = excluded.user_id`
  if (change(writer, sql).run(id, userId, JSON.stringify(draft)).changes === 0) throw storeFault('not-found', 'This group belongs to somebody else')
}

/** Forgets a group and what is known of its followers; its ledger stays. */
export const removeGroup = (writer: Writer, id: string): void =>
  atomically(writer, () => {
    change(writer, 'DELETE FROM followers WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM stances WHERE group_id = ?').run(id)
    change(writer, 'DELETE FROM leaders WHERE group_id = ?').run(id)
    change(writer, "UPDATE groups SET removed = 1, state = 'off' WHERE id = ?").run(id)
  })

// What hangs on something else goes first. An order's event is its group's.
const ofUser = 'IN (SELECT id FROM groups WHERE user_id = ?)'
const ofEvents = `event IN (SELECT id FROM events WHERE group_id ${ofUser})`
const leftByUser = [
  ...['not_sent', 'intents', 'orders'].map((table) => `DELETE FROM ${table} WHERE ${ofEvents}`),
  ...['events', 'stances', 'leaders', 'followers'].map((table) => `DELETE FROM ${table} WHERE group_id ${ofUser}`),
  'DELETE FROM groups WHERE user_id = ?',
]

/** Deletes a user's groups, those that were removed too, with all that happened in them. */
export const forgetUser = (writer: Writer, userId: string): void =>
  atomically(writer, () => {
    for (const sql of leftByUser) change(writer, sql).run(userId)
  })

/** Notes how a group stands. Throws `not-found` for one that is not there. */
export const setGroupState = (writer: Writer, id: string, state: KeptGroup['state']): void => {
  const sql = `UPDATE groups SET armed_after = CASE state WHEN 'off' THEN (SELECT COALESCE(max(id), 0) FROM events) ELSE armed_after END, state = ? WHERE id = ? AND removed = 0`
  if (change(writer, sql).run(state, id).changes === 0) throw storeFault('not-found', 'There is no such group')
}

/** What is known of a group's followers. */
export const followers = (reader: Reader, groupId: string): KeptFollower[] =>
  query<Omit<KeptFollower, 'asksFirst'> & { readonly asksFirst: number }>(reader, 'SELECT group_id AS groupId, account, lock, rejects, day, asks_first AS asksFirst FROM followers WHERE group_id = ? ORDER BY account')
    .all(groupId)
    .map(({ asksFirst, ...row }) => ({ ...row, asksFirst: asksFirst === 1 }))

/** Keeps what is known of one. */
export const saveFollower = (writer: Writer, { groupId, account, lock, rejects, day, asksFirst }: KeptFollower): void => {
  change(writer, 'INSERT OR REPLACE INTO followers (group_id, account, lock, rejects, day, asks_first) VALUES (?, ?, ?, ?, ?, ?)').run(groupId, account, lock, rejects, day, asksFirst ? 1 : 0)
}

/** How a group's followers stand. */
export const stances = (reader: Reader, groupId: string): KeptStance[] =>
  query<StanceRow>(reader, 'SELECT group_id AS groupId, account, contract, held, yours, base, apart, why, asks, taken_time AS takenTime, taken_id AS takenId FROM stances WHERE group_id = ? ORDER BY account, contract')
    .all(groupId)
    .map(({ asks, takenTime, takenId, ...row }) => ({ ...row, asks: asks === 1, taken: { time: takenTime, id: takenId } }))

const isNothing = ({ held, yours, base, apart, asks, taken }: KeptStance): boolean => held === 0 && yours === 0 && base === 0 && apart === 0 && !asks && taken.id === 0

/** Keeps stances; one of all zeros that asks nothing, and where nothing was counted yet, is forgotten. */
export const saveStances = (writer: Writer, rows: readonly KeptStance[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO stances (group_id, account, contract, held, yours, base, apart, why, asks, taken_time, taken_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const forget = change(writer, 'DELETE FROM stances WHERE group_id = ? AND account = ? AND contract = ?')
  for (const row of rows) {
    const { groupId, account, contract, held, yours, base, apart, why, asks, taken } = row
    if (isNothing(row)) forget.run(groupId, account, contract)
    else put.run(groupId, account, contract, held, yours, base, apart, why, asks ? 1 : 0, taken.time, taken.id)
  }
}

/** The leader's positions that a group last knew. */
export const leaders = (reader: Reader, groupId: string): KeptLeader[] =>
  query<LeaderRow>(reader, 'SELECT group_id AS groupId, contract, net, taken_time AS takenTime, taken_id AS takenId FROM leaders WHERE group_id = ? ORDER BY contract')
    .all(groupId)
    .map(({ takenTime, takenId, ...row }) => ({ ...row, taken: { time: takenTime, id: takenId } }))

/** Keeps the leader's positions that a group knows. */
export const saveLeaders = (writer: Writer, rows: readonly KeptLeader[]): void => {
  const put = change(writer, 'INSERT OR REPLACE INTO leaders (group_id, contract, net, taken_time, taken_id) VALUES (?, ?, ?, ?, ?)')
  for (const { groupId, contract, net, taken } of rows) put.run(groupId, contract, net, taken.time, taken.id)
}
