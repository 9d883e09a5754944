/** @module-tag long */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { backupRoutes } from '#shared/api/backups.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { journalFilePath, journalFileRoutes, receivedJournal } from '#shared/api/journal-file.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { startApp, temporaryFolder, type RunningApp } from '#tests/helpers/running-app.ts'
import { answersOf } from '#tests/helpers/written-before.ts'

// The program of 2026-11-27, before its files were put together by feature, wrote this: a data folder with a backup and
// settings, a journal file, and everything that its API said of them. Its texts and figures must stay what they were.
const archive = fileURLToPath(new URL('./written-before/data.tar.gz', import.meta.url))
const answersFile = z.object({ userId: z.string() }).loose()

const unpack = async () => {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  execFileSync('tar', ['-xzf', archive, '-C', path])
  return { path, answers: answersFile.parse(JSON.parse(readFileSync(join(path, 'answers.json'), 'utf8'))) }
}

const started = async (dataDir: string): Promise<RunningApp> => {
  const app = await startApp({ dataDir, gates: 'open' })
  onTestFinished(async () => void (await app.stop()))
  return app
}

const signedIn = async (app: RunningApp) => {
  const browser = await openBrowser(app.launchUrl)
  await browser.call(sessionRoutes.signIn, { body: { email: 'trader@example.com', password: 'correct horse battery' } })
  return browser
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const namesOfToday: Readonly<Record<string, string>> = { tripId: 'tradeId', trips: 'trades' }

/** The answers of then, in the names of today: fill pairs were `trades`, also those of a product, and trades from flat to flat `trips`. */
const inNamesOfToday = ({ trades: pairs, trips: trades, ...answers }: Record<string, unknown>): Record<string, unknown> => {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named)
    if (!isObject(value)) return value === 'trips' ? 'trades' : value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [namesOfToday[name] ?? (name === 'trades' && 'contracts' in value ? 'pairs' : name), named(one)]))
  }
  return named({ ...answers, pairs, trades }) as Record<string, unknown>
}

/** An answer without the fields that the earlier program did not have; everything else stays to be compared. */
const asKnown = (now: unknown, before: unknown): unknown => {
  if (Array.isArray(now) && Array.isArray(before)) return now.map((one, at) => asKnown(one, before[at]))
  if (!isObject(now) || !isObject(before)) return now
  return Object.fromEntries(Object.entries(now).flatMap(([name, value]) => (name in before ? [[name, asKnown(value, before[name])]] : [])))
}

test('a journal, settings and reports written by an earlier program open unchanged, and its backup restores them', async () => {
  const { path, answers } = await unpack()
  const browser = await signedIn(await started(join(path, 'data')))
  const { userId, ...then } = answers
  const before = inNamesOfToday(then)
  const now = await answersOf(browser, userId)
  // Opening it made a backup of its own.
  expect(asKnown({ ...now, backups: (await browser.call(backupRoutes.backups)).backups.filter(({ kind }) => kind !== 'before-update') }, before)).toEqual(before)

  await browser.call(recordRoutes.updateTrade, { body: { userId, id: 'by-hand', updates: { notes: 'changed since' } } })
  await browser.call(recordRoutes.addFinance, { body: { userId, finance: { id: 'later', type: 'expense', amount: 1, date: '2026-11-27', name: 'later' } } })
  const [backup] = (await browser.call(backupRoutes.backups)).backups.filter(({ kind }) => kind === 'by-hand')
  expect(backup?.holds).toMatchObject({ pairs: recordRoutes.getTrades.answer.parse(before['pairs']).trades.length })
  await browser.call(backupRoutes.restoreBackup, { body: { name: backup?.name ?? '', whole: true } })
  expect(asKnown({ ...(await answersOf(browser, userId)), backups: before['backups'] }, before)).toEqual(before)
})

test('a journal file written by an earlier program imports completely into another profile', async () => {
  const { path, answers } = await unpack()
  const app = await started(join(path, 'other'))
  const browser = await openBrowser(app.launchUrl)
  const { userId } = await browser.signUp('other@example.com')
  const sent = await fetch(`${browser.origin}${journalFilePath}`, { method: 'POST', body: new Uint8Array(readFileSync(join(path, 'journal.fillbook'))), headers: { ...browser.own(), 'content-type': 'application/octet-stream' } })
  const { id } = receivedJournal.parse(await sent.json())
  await browser.call(journalFileRoutes.importJournal, { body: { id } })
  const trades = (given: unknown) => recordRoutes.getTrades.answer.parse(given).trades.map(({ id: of, grossPnl, netPnl, notes, tags }) => ({ of, grossPnl, netPnl, notes, tags }))
  expect(trades(await browser.call(recordRoutes.getTrades, { query: { userId } }))).toEqual(trades(inNamesOfToday(answers)['pairs']))
})
