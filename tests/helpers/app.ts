import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startBackend } from '#backend/backend.ts'
import type { Backend, Host } from '#backend/host.ts'
import { problemsText } from '#backend/start-problem.ts'
import { readSettings } from '#backend/settings.ts'
import { openBrowser } from './browser.ts'
import type { Browser } from './browser.ts'
import { emptyJournal } from './empty-journal.ts'
import { programFile } from './program.ts'
import { quickPasswords } from './quick-passwords.ts'
import { journalHere } from './journal-here.ts'
import { everyGateClosed, everyGateOpen } from './rights.ts'

const migrations = new URL('../../migrations/sqlite', import.meta.url).pathname
const cloud = programFile('cloud/main.ts')

/** A new empty folder that goes with the test. */
export const testFolder = (): string => {
  const folder = newFolder()
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }) })
  return folder
}

/** The running program, and a browser that opened it. */
export type App = { readonly backend: Backend; readonly dataDir: string; readonly browser: Browser; readonly newBrowser: () => Promise<Browser>; readonly stop: () => Promise<void> }

type Options = { readonly dataDir?: string; readonly env?: Record<string, string>; readonly now?: () => number; readonly comeForward?: Host['comeForward']; /** Whether every real profile passes all gates, which is the default: for tests that are not about plans. `closed` is as a cloud says it of somebody without a plan, for tests without one. */ readonly gates?: 'open' | 'closed' | 'as-the-cloud-says'; /** What checking a password costs: little by default, for tests that are not about guessing. */ readonly passwords?: 'quick' | 'as-shipped' }

/** Starts the real program on a free port, with its data in a folder of the test's own unless one is given. It ends with the test. What a first start does in an empty folder, the tests of the doors and of the migrations show. */
export const startApp = async (given: Options = {}): Promise<App> => {
  const app = await openApp({ ...given, dataDir: given.dataDir ?? withJournal(testFolder()) })
  onTestFinished(app.stop)
  return app
}

/** The same for all tests of a file: whoever starts it stops it, and removes the folder that was given. */
export const startSharedApp = async (given: Options = {}): Promise<App> => {
  const dataDir = given.dataDir ?? withJournal(newFolder())
  const app = await openApp({ ...given, dataDir })
  const stop = (): Promise<void> => app.stop().finally(() => (given.dataDir === undefined ? rmSync(dataDir, { recursive: true, force: true }) : undefined))
  return { ...app, stop }
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'fillbook-test-'))

/** Saves the start its migrations. */
const withJournal = (folder: string): string => {
  writeFileSync(join(folder, 'journal.db'), emptyJournal(), { mode: 0o600 })
  return folder
}

const openApp = async ({ dataDir, env, now = Date.now, comeForward, gates = 'open', passwords = 'quick' }: Options & { readonly dataDir: string }): Promise<App> => {
  const roleOf: Host['roleOf'] = gates === 'open' ? everyGateOpen : gates === 'closed' ? everyGateClosed : undefined
  const settings = readSettings({ env: { FILLBOOK_SECRETS: 'file', FILLBOOK_LOG_LEVEL: 'debug', FILLBOOK_TIMEZONE: 'America/New_York', FILLBOOK_TOPSTEPX_URL: 'http://127.0.0.1:9', ...env }, dataDir, port: '0' })
  if (!settings.ok) throw new Error(problemsText(settings.error))
  const started = await startBackend({ settings: settings.value, paths: { pages: pagesIn(dataDir), migrations, cloud }, version: '0.0.0-test', now, comeForward, roleOf, ...(passwords === 'quick' ? { passwordCost: quickPasswords } : {}), broken: (part) => { throw new Error(`The ${part} thread broke`) } }, journalHere)
  if (!started.ok) throw new Error(problemsText(started.error))
  const backend = started.value
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => (stopping ??= backend.stop())
  const newBrowser = async (): Promise<Browser> => openBrowser(await backend.launchUrl('anybody'))
  return { backend, dataDir, browser: await newBrowser(), newBrowser, stop }
}

/** A page as the build leaves it, so that tests of the API need no build. */
const pagesIn = (folder: string): string => {
  const pages = join(folder, 'test-pages')
  mkdirSync(join(pages, 'assets'), { recursive: true })
  writeFileSync(join(pages, 'index.html'), '<!doctype html><html><head><title>Fillbook</title></head><div id="root"></div></html>')
  writeFileSync(join(pages, 'assets', 'app-1a2b3c4d.js'), 'export {}')
  return pages
}
