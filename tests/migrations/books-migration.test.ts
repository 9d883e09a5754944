import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { account, migrationsFolder, temporaryFolder } from '#tests/helpers/store.ts'

test('earnings, expenses and labels of an older journal stay unchanged, without a category', () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0011')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  database.exec(`INSERT INTO profiles (id, email, display_name, demo, time_zone, created_at) VALUES ('u1', 'a@example.org', 'A', 0, 'America/New_York', 1);
    INSERT INTO finances (user_id, id, type, amount, date, name, balance, currency, platform, firm, removed_at, stamp) VALUES
      ('u1', 'payout', 'earning', 12500001, '2026-01-05', 'Payout', 0, 'EUR', 'other', 'Tradeify', NULL, '001767600000000-00000-3fa91c20'),
      ('u1', 'fee', 'expense', 990000, '2026-01-02', 'Fee', 0, 'USD', '', NULL, 9, '001767600000000-00000-3fa91c20'),
      ('u1', '${account}', 'Funded Account', 0, '2026-01-01', 'EVAL-101', 500000000, 'USD', 'Tradovate', 'Tradeify', NULL, '000000000000000-00000-00000000');`)
  const rows = () => database.prepare('SELECT id, type, amount, date, name, balance, currency, platform, firm, removed_at, stamp FROM finances ORDER BY id').all()
  const old = rows()
  expect(migrate(database, migrationsFolder, folder)).toMatchObject({ from: 10 })
  expect(rows()).toEqual(old)
  expect(readsOf(writerOf(database)).finances({ userId: 'u1' })).toEqual([
    { userId: 'u1', id: account, type: 'Funded Account', amount: 0, date: '2026-01-01', name: 'EVAL-101', balance: 50_000, currency: 'USD', platform: 'Tradovate', firm: 'Tradeify', category: 'other', account: null, note: '' },
    { userId: 'u1', id: 'payout', type: 'earning', amount: 1250, date: '2026-01-05', name: 'Payout', balance: 0, currency: 'EUR', platform: 'other', firm: 'Tradeify', category: 'other', account: null, note: '' },
  ])
})
