import pg from 'pg'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { MirrorRecord } from '#shared/mirror/record.ts'
import { requestText } from './http-line.ts'

/** One user's computer, and what it knows of its journal in the cloud: the number of the last change, and how often it has changed something. */
export type Caller = { readonly userId: string; readonly token: string; readonly journal: string; head: number; changes: number }

/** One call, as it goes to the cloud, and as one would write it by hand: the same rows, read or written in a transaction in its user's name. Each returns the number of its records. */
export type MixedCall = {
  readonly request: (caller: Caller) => string
  readonly found: (answer: string) => number
  readonly byHand: (client: pg.ClientBase, caller: Caller) => Promise<number>
}

/** What each user has at first. */
const perUser = { pairs: 100, edits: 20 } as const

/** Records of a push, and of a page of changes. */
const some = 10
const at = Date.UTC(2026, 10, 20, 15)

const stampOf = (ms: number): string => `${String(ms).padStart(15, '0')}-00000-3fa91c20`
const edit = (trade: number, notes: string, ms: number): MirrorRecord => ({ entity: 'edit', id: `trade-${String(trade)}`, content: { notes: { value: notes, stamp: stampOf(ms) } } }) as MirrorRecord

/** The records of a journal as they lie in the cloud. */
export const firstRecords = (): readonly MirrorRecord[] => {
  const pair = (trade: number): MirrorRecord =>
    ({
      entity: 'pair', id: `trade-${String(trade)}`,
      content: {
        accountId: 'tradovate:demo:810101', symbol: 'MESZ6', date: '2026-11-20', tradingDay: '2026-11-20', side: 'long', qty: 2, tickSize: '0.25', entryPrice: 26_800, exitPrice: 26_800 + (trade % 9), entryTime: at + trade * 60_000, exitTime: at + trade * 60_000 + 30_000,
        gross: 25_000 * (trade % 9), commission: 14_800, net: 25_000 * (trade % 9) - 14_800, currency: 'USD', platform: 'Tradovate', tripId: `trade-${String(trade)}`, multiplierSource: 'table', feeSource: 'broker', warnings: [],
      },
    }) as unknown as MirrorRecord
  const account = { entity: 'account', id: 'tradovate:demo:810101', content: { environment: 'demo', brokerAccountId: '810101', name: 'SIM810101', loginName: 'bench', connectedAt: at, removedAt: null, copyOf: null, stamp: stampOf(at) } } as unknown as MirrorRecord
  return [account, ...Array.from({ length: perUser.pairs }, (_, trade) => pair(trade)), ...Array.from({ length: perUser.edits }, (_, trade) => edit(trade, `as planned, ${String(trade)}`, at))]
}

/** New notes to the same ten trades. */
const newNotes = (caller: Caller): readonly MirrorRecord[] => {
  caller.changes += 1
  return Array.from({ length: some }, (_, trade) => edit(trade, `said the ${String(caller.changes)}th time`, at + caller.changes))
}

const query = (values: Readonly<Record<string, string | number>>): string => new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
const get = (path: string, { token }: Caller, values: Readonly<Record<string, string | number>>): string => requestText('GET', `${path}?${query(values)}`, token)
const post = (path: string, { token }: Caller, body: unknown): string => requestText('POST', path, token, JSON.stringify(body))

/** The start of a transaction that row-level security limits to one user; it returns whether the user deleted the account. */
const beginning = (userId: string, kind: 'read' | 'write'): string => {
  const user = pg.escapeLiteral(userId)
  const [mode, lock] = kind === 'read' ? ['REPEATABLE READ READ ONLY', ''] : ['READ COMMITTED READ WRITE', `, pg_advisory_xact_lock_shared(hashtextextended(${user}, 0))`]
  return `BEGIN ISOLATION LEVEL ${mode}; SELECT set_config('fillbook.user_id', ${user}, true)${lock}; SELECT user_id FROM deleted_accounts WHERE user_id = ${user}`
}

/** All of `work` in one transaction in a user's name. */
const inTheNameOf = async <T>(client: pg.ClientBase, userId: string, kind: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
  await client.query(beginning(userId, kind))
  const result = await work()
  await client.query('COMMIT')
  return result
}

/** Reads a user's row of a table in a transaction that is one round trip, as nothing in it depends on an answer; how many were found. */
const ownRow = async (client: pg.ClientBase, userId: string, columns: string, table: string): Promise<number> => {
  const answers: unknown = await client.query(`${beginning(userId, 'read')}; SELECT ${columns} FROM ${table} WHERE user_id = ${pg.escapeLiteral(userId)}; COMMIT`)
  // Of several statements the driver gives all answers, whatever its types say.
  return (answers as readonly pg.QueryResult[]).at(-2)?.rows.length ?? 0
}

const rowsOf = async (client: pg.ClientBase, text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> => (await client.query<Record<string, unknown>>(text, [...values])).rows

const upsert = `INSERT INTO records (user_id, entity, id, seq, content)
  SELECT $1, entity, id, $2::bigint + place, content FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS (entity text, id text, content jsonb)) WITH ORDINALITY AS given (entity, id, content, place)
  ON CONFLICT (user_id, entity, id) DO UPDATE SET seq = excluded.seq, content = excluded.content WHERE records.content IS DISTINCT FROM excluded.content`

const write = async (client: pg.ClientBase, caller: Caller, records: readonly MirrorRecord[]): Promise<number> => {
  await client.query(upsert, [caller.userId, caller.head, JSON.stringify(records)])
  caller.head += records.length
  await client.query('UPDATE journals SET head = $2, last_stamp = $3 WHERE user_id = $1', [caller.userId, caller.head, stampOf(at + caller.changes)])
  return records.length
}

const lockedHead = 'SELECT id, head, last_stamp, last_push FROM journals WHERE user_id = $1 FOR UPDATE'

/** What each computer asks each minute: how far the cloud is. */
const head: MixedCall = {
  request: (caller) => get(mirrorRoutes.journal.path, caller, { userId: caller.userId }),
  found: (answer) => (answer.includes('"head":') ? 1 : 0),
  byHand: (client, { userId }) => ownRow(client, userId, 'id, head', 'journals'),
}

const push: MixedCall = {
  request: (caller) => {
    const text = post(mirrorRoutes.push.path, caller, { userId: caller.userId, journal: caller.journal, after: caller.head, records: newNotes(caller) })
    caller.head += some
    return text
  },
  found: (answer) => (answer.includes('"outcome":"taken"') ? some : 0),
  byHand: (client, caller) =>
    inTheNameOf(client, caller.userId, 'write', async () => {
      const [kept] = await rowsOf(client, lockedHead, [caller.userId])
      return Number(kept?.['head']) === caller.head ? write(client, caller, newNotes(caller)) : 0
    }),
}

/** The last changes, as another computer of the same user asks for them. */
const changes: MixedCall = {
  request: (caller) => get(mirrorRoutes.changes.path, caller, { userId: caller.userId, part: 'rest', after: caller.head - some, upTo: caller.head }),
  found: (answer) => answer.split('"seq":').length - 1,
  byHand: (client, { userId, head: upTo }) =>
    inTheNameOf(client, userId, 'write', async () => {
      await rowsOf(client, 'SELECT id FROM journals WHERE user_id = $1', [userId])
      const page = await rowsOf(
        client,
        `SELECT entity, id, seq, content FROM records WHERE user_id = $1 AND seq > $2 AND seq <= $3 AND entity IN ('finance', 'picture', 'fill', 'trade', 'edit', 'day', 'stop', 'rules') ORDER BY seq LIMIT 2001`,
        [userId, upTo - some, upTo],
      )
      return page.length
    }),
}

const trades: MixedCall = {
  request: (caller) => get(recordRoutes.getTrades.path, caller, { userId: caller.userId }),
  found: (answer) => answer.split('"netPnl":').length - 1,
  byHand: (client, { userId }) =>
    inTheNameOf(client, userId, 'read', async () => {
      const rows = await rowsOf(client, `SELECT entity, id, content FROM records WHERE user_id = $1 AND entity IN ('account', 'edit', 'pair', 'trade') AND content IS NOT NULL ORDER BY entity, id`, [userId])
      return rows.filter(({ entity }) => entity === 'pair').length
    }),
}

/** A new note to one trade, by a program that knows no stamps: what is there is read first. */
const update: MixedCall = {
  request: (caller) => {
    caller.changes += 1
    caller.head += 1
    return post(recordRoutes.updateTrade.path, caller, { userId: caller.userId, id: 'trade-0', updates: { notes: `said the ${String(caller.changes)}th time` } })
  },
  found: (answer) => (answer.includes('"success":true') ? 1 : 0),
  byHand: (client, caller) =>
    inTheNameOf(client, caller.userId, 'write', async () => {
      await rowsOf(client, lockedHead, [caller.userId])
      const known = await rowsOf(client, `SELECT entity, content FROM records WHERE user_id = $1 AND id = $2 AND entity IN ('trade', 'pair', 'edit')`, [caller.userId, 'trade-0'])
      const account = (known.find(({ entity }) => entity === 'pair')?.['content'] as { accountId?: string } | undefined)?.accountId ?? ''
      await rowsOf(client, `SELECT content FROM records WHERE user_id = $1 AND entity = 'account' AND id = $2`, [caller.userId, account])
      caller.changes += 1
      return write(client, caller, [edit(0, `said the ${String(caller.changes)}th time`, at + caller.changes)])
    }),
}

const subscription: MixedCall = {
  request: (caller) => get(subscriptionRoutes.getSubscription.path, caller, { userId: caller.userId }),
  found: (answer) => (answer.includes('"active":true') ? 1 : 0),
  byHand: (client, { userId }) => ownRow(client, userId, 'content', 'subscriptions'),
}

/** Ten calls in the shares in which computers make them; every caller begins at another one. */
export const mix: readonly MixedCall[] = [head, push, changes, head, trades, head, push, changes, update, subscription]
