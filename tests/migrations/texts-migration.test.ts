import { expect, onTestFinished, test } from 'vitest'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { enteredText, keptText } from '#shared/api/fields.ts'
import { mirrorRecord } from '#shared/mirror/record.ts'
import { migrationsFolder, temporaryFolder, user } from '#tests/helpers/store.ts'

const stamp = '000000000000007-00000-3fa91c20'
const odd = 'null \0, Windows\r\nMac\rend, "quoted", \\u0000 \\r \u0001'
const oddTags = ['null \0', 'half \uD83D, whole \u{1F600}, \\ud83d', 'other half \uDE00', '\u0007\uD7FF']
/** As `JSON.stringify` wrote them, which escapes what is no text. */
const tags = JSON.stringify(oddTags)

/** A journal as the version before kept it. */
const kept = (sqls: readonly (readonly [sql: string, ...values: unknown[]])[]) => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((one) => one < '0033')) cpSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => void database.close())
  migrate(database, before, folder)
  database.prepare("INSERT INTO profiles (id, display_name, demo, time_zone, created_at) VALUES (?, '', 0, 'UTC', 1)").run(user.userId)
  for (const [sql, ...values] of sqls) database.prepare(sql).run(...values)
  migrate(database, migrationsFolder, folder)
  return { database, read: readsOf(writerOf(database)) }
}

test('old texts are normalized as new ones would be, with their old stamps, and the outbox stays empty', () => {
  const stamps = JSON.stringify({ notes: stamp, tags: stamp, screenshotHeadline: stamp })
  const { database, read } = kept([
    ['INSERT INTO trade_edits (user_id, trade_id, notes, tags, screenshot_headline, stamps) VALUES (?, ?, ?, ?, ?, ?)', user.userId, 't1', odd, tags, odd, stamps],
    ['INSERT INTO trade_edits (user_id, trade_id, notes, tags, stamps) VALUES (?, ?, ?, ?, ?)', user.userId, 't2', 'plain\n\\u0000', '["\\\\ud83d","\\ud7ff"]', stamps],
    ['INSERT INTO day_notes (user_id, trading_day, notes, tags, stamps) VALUES (?, ?, ?, ?, ?)', user.userId, '2026-11-02', odd, tags, stamps],
    ["INSERT INTO finances (user_id, id, type, amount, date, name, balance, currency, platform, note, stamp, category) VALUES (?, 'f', 'earning', 1, '2026-11-02', ?, 0, 'USD', ?, ?, ?, 'other')", user.userId, odd, odd, odd, stamp],
  ])
  const [text, list] = [enteredText(300).parse(odd), oddTags.map(keptText)]
  expect(text).toBe('null \uFFFD, Windows\nMac\nend, "quoted", \\u0000 \\r \u0001')
  const edits = database.prepare('SELECT notes, tags, screenshot_headline AS headline, stamps FROM pair_edits ORDER BY pair_id').all() as { notes: string; tags: string }[]
  expect(edits.map((edit) => ({ ...edit, tags: JSON.parse(edit.tags) as unknown }))).toEqual([
    { notes: text, tags: list, headline: text, stamps },
    { notes: 'plain\n\\u0000', tags: ['\\ud83d', '\uD7FF'], headline: '', stamps },
  ])
  expect(read.dayNotes(user)).toEqual([{ tradingDay: '2026-11-02', notes: text, tags: list }])
  expect(database.prepare('SELECT name, platform, note, stamp FROM finances').all()).toEqual([{ name: text, platform: text, note: text, stamp }])
  expect(database.prepare('SELECT * FROM outbox').all()).toEqual([])
})

test('records from an older cloud or computer are normalized in the same way', () => {
  const field = { value: odd, stamp }
  const records = [
    { entity: 'edit', id: 't1', content: { notes: field, screenshotHeadline: field, tags: { value: oddTags, stamp } } },
    { entity: 'finance', id: 'f', content: { type: 'earning', amount: 1, date: '2026-11-02', name: odd, balance: 0, currency: 'USD', platform: odd.slice(0, 60), firm: null, note: odd, removedAt: null, stamp } },
  ]
  const text = enteredText(300).parse(odd)
  expect(records.map((record) => mirrorRecord.parse(record).content)).toMatchObject([
    { notes: { value: text }, screenshotHeadline: { value: text }, tags: { value: oddTags.map(keptText) } },
    { name: text, note: text },
  ])
})
