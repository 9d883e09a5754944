/**
 * @module-tag long
 * @module-tag nightly
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '#backend/journal/open-journal.ts'
import { testFolder } from '../helpers/app.ts'
import { cleanEnv } from '../helpers/clean-env.ts'
import { fault } from '../helpers/fault.ts'
import { journalRows, type JournalRows } from '../helpers/journal-rows.ts'
import { programFile } from '../helpers/program.ts'
import { words } from '../helpers/words.ts'
import { accountNames, userId, type HistoryOrder } from './history-order.ts'
import { migrationsFolder } from './import-order.ts'

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
// From 2 June 2025 to 5 June 2026, on every weekday a trade of two fills, in windows of sixty days.
const [days, windowsOfAccount, windowsAtOnce] = [265, 7, 4]
const fills = days * 2 * accountNames.length

const start = async (order: HistoryOrder): Promise<string> => {
  const child = spawn(process.execPath, [programFile('tests/scenarios/history-child.ts')], { env: { ...cleanEnv(), HISTORY_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal ?? String(code)
}

const askedIn = (folder: string): string[] => (existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n') : [])

/** The journal's rows, but for the outbox: a kill may leave the same changes in another order there. */
const rowsIn = (folder: string): JournalRows => ({ ...journalRows(join(folder, 'journal.db')), outbox: [] })

/** What the next start finds. */
const found = async (folder: string) => {
  const journal = await openJournal({ file: join(folder, 'journal.db'), migrationsFolder, backupFolder: join(folder, 'backups'), log: silent })
  const [{ requests, windows }, imports, totals] = await Promise.all([journal.read.history({ userId }), journal.read.imports({ userId }), journal.read.totals({ userId })])
  const [newest] = imports
  const undone = newest === undefined ? null : await journal.write.undoImport({ userId, importId: newest.id, at: 1 })
  const after = await Promise.all([journal.read.history({ userId }), journal.read.totals({ userId })])
  await journal.close()
  return { requests, windows, imports, fills: totals.fills, undone, standing: after[0].windows.filter(({ isKept }) => isKept).length, fillsAfter: after[1].fills }
}

test('killed anywhere, the next start fetches the rest, and a window counts only while its fills are there', { tags: 'fault' }, async ({ task }) => {
  const count = fault(task, 'kill-import')
  count.says(words('history', 'state.waiting'))
  const straight = testFolder()
  expect(await start({ folder: straight })).toBe('0')
  const whole = rowsIn(straight)
  expect(whole['fills']).toHaveLength(fills)
  expect(new Set(askedIn(straight)).size).toBe(windowsOfAccount * accountNames.length)

  for (const kill of [{ killAfterReports: 1 }, { killAfterReports: 7 }, { killAt: 'group-begun:1' }, { killAt: 'fills-written:2' }, { killAt: 'group-committed:3' }]) {
    const folder = testFolder()
    expect([kill, await start({ folder, ...kill })]).toEqual([kill, 'SIGKILL'])
    count.tried()
    expect([kill, await start({ folder })]).toEqual([kill, '0'])
    count.compare(rowsIn(folder), whole)
    expect(rowsIn(folder)).toEqual(whole)
    const asked = askedIn(folder)
    expect(new Set(asked).size).toBe(windowsOfAccount * accountNames.length)
    expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(windowsAtOnce)

    const journal = await found(folder)
    expect(journal).toMatchObject({ requests: [{ state: 'done' }], fills, undone: { ok: true } })
    expect(journal.windows.filter(({ isKept }) => isKept)).toHaveLength(windowsOfAccount * accountNames.length)
    expect(journal.imports).toHaveLength(2 * accountNames.length)
    // What is undone takes its windows with it, and no others.
    const gone = journal.imports[0]?.files.length ?? 0
    expect(journal.standing).toBe(windowsOfAccount * accountNames.length - gone)
    expect(journal.fillsAfter).toBeLessThan(fills - gone * 2 * 15)
  }
})
