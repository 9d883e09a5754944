import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend } from '#backend/backend.ts'
import type { Backend } from '#backend/host.ts'
import { readSettings } from '#backend/settings.ts'
import { backupRoutes } from '#shared/api/backups.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startSharedApp } from '#tests/helpers/app.ts'
import { openBrowser } from '#tests/helpers/browser.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { quickPasswords } from '#tests/helpers/quick-passwords.ts'
import { everyGateOpen } from '#tests/helpers/rights.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const migrations = new URL('../../migrations/sqlite', import.meta.url).pathname

/** By what its user signs in. */
export const known = { email: 'ann@example.com', password: 'correct horse' }

/** A data folder with a journal that an import filled, and one backup of it; closed. */
export type DamageStage = { readonly made: string; /** The bytes of the journal. */ readonly whole: Buffer; readonly userId: string; /** The ids of its trades. */ readonly trades: readonly string[]; readonly remove: () => void }

/** Makes one. */
export const makeDamageStage = async (): Promise<DamageStage> => {
  const made = mkdtempSync(join(tmpdir(), 'fillbook-fuzz-'))
  const { browser, stop } = await startSharedApp({ dataDir: made, env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp(known.email, known.password)
  const { fills, performance, balances } = threeFiles()
  const uploads = await uploadAll(browser, { 'Fills.csv': fills, 'Performance.csv': performance, 'Account Balance History.csv': balances })
  await browser.call(importRoutes.addImport, { body: importRequest(uploads) })
  const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  await browser.call(backupRoutes.makeBackup)
  await stop()
  return { made, whole: readFileSync(join(made, 'journal.db')), userId, trades: trades.map(({ id }) => id).toSorted(), remove: () => rmSync(made, { recursive: true, force: true }) }
}

/** Starts the program on a data folder; `broken` is called when a thread dies. */
export const startOn = async (dataDir: string, broken: (part: string) => void): ReturnType<typeof startBackend> => {
  const settings = readSettings({ env: { FILLBOOK_SECRETS: 'file', FILLBOOK_DEMO: 'off' }, dataDir, port: '0' })
  if (!settings.ok) throw new Error('No settings')
  return startBackend({ settings: settings.value, paths: { pages: dataDir, migrations, cloud: '' }, version: '0', now: Date.now, passwordCost: quickPasswords, roleOf: everyGateOpen, broken })
}

/** The ids of the trades that a running program shows. */
export const tradesIn = async ({ launchUrl }: Backend, userId: string): Promise<readonly string[]> => {
  const browser = await openBrowser(await launchUrl('anybody'))
  await browser.call(sessionRoutes.signIn, { body: known })
  return (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ id }) => id).toSorted()
}
