import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import pg from 'pg'
import { openDatabase, openReader, writerOf } from '#backend/store/database.ts'
import { migrate } from '#backend/store/migrate.ts'
import { writesOf } from '#backend/store/writes.ts'
import { readsOf } from '#backend/store/reads.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { startPostgres } from '../helpers/postgres.ts'
const dir = mkdtempSync('/tmp/fb-micro-')
const f = dir + '/journal.db'
const d = openDatabase(f); migrate(d, 'migrations/sqlite', dir + '/b')
const writer = writerOf(d)
const write = writesOf({ writer, barrier: () => undefined })
write.createProfile({ id: 'u', email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: 1 })
await makeLargeJournal({ file: f, picturesFolder: dir + '/p', userId: 'u' }, 12000)
const read = readsOf(openReader(f))
type R = { entity: string; id: string; content: unknown }
const all: R[] = []
for (let after = 0; ; ) { const b = read.outgoing({ userId: 'u', limit: 1000, after }); const l = b.seqs.at(-1); if (l === undefined) break; after = l; all.push(...(JSON.parse(Buffer.from(b.records).toString()) as R[])) }
console.log(all.length)
const server = await startPostgres()
const url = await server.newDatabase()
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query(readFileSync('migrations/postgres/0001-cloud.sql', 'utf8'))
const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
const onCpu = (p: number | 'self') => Number(readFileSync(`/proc/${p}/schedstat`, 'utf8').split(' ')[0]) / 1e6
const size = 1000
const batches = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, i * size + size))
const tail = (t: string) => `WITH put AS (INSERT INTO records (user_id, entity, id, seq, content) ${t} ON CONFLICT (user_id, entity, id) DO UPDATE SET seq = excluded.seq, content = excluded.content WHERE records.content IS DISTINCT FROM excluded.content RETURNING seq) SELECT max(seq) FROM put`
const variants: Record<string, (b: R[], head: number) => [string, unknown[]]> = {
  now: (b, head) => [tail(`SELECT $1, entity, id, $2::bigint + place, content FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS (entity text, id text, content jsonb)) WITH ORDINALITY AS given (entity, id, content, place)`), ['user', head, JSON.stringify(b)]],
  json: (b, head) => [tail(`SELECT $1, entity, id, $2::bigint + place, content FROM ROWS FROM (json_to_recordset($3::json) AS (entity text, id text, content jsonb)) WITH ORDINALITY AS given (entity, id, content, place)`), ['user', head, JSON.stringify(b)]],
  unnest: (b, head) => [tail(`SELECT $1, entity, id, $2::bigint + place, content FROM unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS given (entity, id, content, place)`), ['user', head, b.map((r) => r.entity), b.map((r) => r.id), b.map((r) => (r.content === null ? null : JSON.stringify(r.content)))]],
  cols: (b, head) => [tail(`SELECT $1, entity, id, $2::bigint + place, content::jsonb FROM ROWS FROM (json_array_elements_text($3::json), json_array_elements_text($4::json), json_array_elements_text($5::json)) WITH ORDINALITY AS given (entity, id, content, place)`), ['user', head, JSON.stringify(b.map((r) => r.entity)), JSON.stringify(b.map((r) => r.id)), JSON.stringify(b.map((r) => (r.content === null ? null : JSON.stringify(r.content))))]],
  hand: (b, head) => [`INSERT INTO records (user_id, entity, id, seq, content) VALUES ${b.map((_, r) => `($${r * 5 + 1},$${r * 5 + 2},$${r * 5 + 3},$${r * 5 + 4},$${r * 5 + 5})`).join(',')} ON CONFLICT (user_id, entity, id) DO UPDATE SET seq = excluded.seq, content = excluded.content`, b.flatMap((r, i) => ['user', r.entity, r.id, head + i + 1, r.content === null ? null : JSON.stringify(r.content)])],
}
for (let round = 0; round < 4; round += 1) {
  for (const [name, make] of Object.entries(variants)) {
    await client.query('TRUNCATE records'); await client.query('VACUUM records')
    const ready = batches.map((b, i) => make(b, i * size))
    const c0 = onCpu(pid), u0 = process.cpuUsage()
    const t0 = performance.now()
    for (const [text, values] of ready) await client.query(text, values)
    const wall = performance.now() - t0
    const u = process.cpuUsage(u0)
    if (round > 0) console.log(round, name.padEnd(8), 'backend ms/1000:', ((onCpu(pid) - c0) / all.length * 1000).toFixed(1), 'client:', ((u.user + u.system) / 1000 / all.length * 1000).toFixed(1), 'wall', (wall / all.length * 1000).toFixed(1))
  }
}
await client.end(); await server.stop(); rmSync(dir, { recursive: true, force: true })
