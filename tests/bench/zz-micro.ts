import { mkdtempSync, rmSync, mkdirSync } from 'node:fs'
import { openDatabase, openReader, writerOf } from '#backend/store/database.ts'
import { migrate } from '#backend/store/migrate.ts'
import { writesOf } from '#backend/store/writes.ts'
import { readsOf } from '#backend/store/reads.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { jsonText } from '#cloud/store/json-text.ts'
const dir = mkdtempSync('/tmp/fb-micro-')
const f = dir + '/journal.db'
const d = openDatabase(f); migrate(d, 'migrations/sqlite', dir + '/b')
const writer = writerOf(d)
const write = writesOf({ writer, barrier: () => undefined })
write.createProfile({ id: 'u', email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'America/New_York', createdAt: 1 })
await makeLargeJournal({ file: f, picturesFolder: dir + '/p', userId: 'u' }, 6000)
const read = readsOf(openReader(f))
const cpu = <T>(name: string, sums: Record<string, number>, work: () => T): T => { const b = process.cpuUsage(); const v = work(); const u = process.cpuUsage(b); sums[name] = (sums[name] ?? 0) + (u.user + u.system) / 1000; return v }
const bodies: unknown[] = []
for (let round = 0; round < 3; round += 1) {
  const sums: Record<string, number> = {}
  let after = 0, n = 0
  for (;;) {
    const b = cpu('outgoing', sums, () => read.outgoing({ userId: 'u', limit: 1000, after }))
    const last = b.seqs.at(-1)
    if (last === undefined) break
    after = last
    n += b.seqs.length
    const text = `{"userId":"u","journal":null,"after":0,"records":${Buffer.from(b.records).toString()}}`
    const json = cpu('JSON.parse', sums, () => JSON.parse(text) as unknown)
    const parsed = cpu('zod', sums, () => mirrorRoutes.push.body.parse(json))
    const recs = parsed.records
    const distinct = cpu('distinct', sums, () => [...new Map(recs.map((record) => [`${record.entity}/${record.id}`, record])).values()])
    const t = cpu('jsonText', sums, () => jsonText(distinct))
    cpu('buffer', sums, () => Buffer.from(t))
    if (round === 2) cpu('mirrorSent', sums, () => write.mirrorSent({ userId: 'u', at: 1, seqs: b.seqs, journal: '11111111-1111-4111-8111-111111111111', head: after }))
    if (round === 2) bodies.push([text.length, recs.length])
  }
  console.log(n, Object.fromEntries(Object.entries(sums).map(([k, v]) => [k, `${(v / n * 1000).toFixed(2)} ms/1000`])))
}
console.log(bodies.slice(0, 5))
rmSync(dir, { recursive: true, force: true })
