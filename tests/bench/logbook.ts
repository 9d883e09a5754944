import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { openApi } from '#cli/headless-user.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { ensureBrowser, isRoot } from '../../build/ensure-browser.ts'
import { traceMainThread, type MainThread } from '../e2e/scanner-trace.ts'
import { makeLargeJournal } from '../helpers/large-journal.ts'
import { startApp, type RunningApp } from '../helpers/running-app.ts'
import { multiplied } from './large-journals.ts'
import { callLogbook, clickLogbook, scrollLogbook, untilQuiet, watchFirstRows } from './logbook-page.ts'
import { counted, median, rounded, scale, type BenchRow } from './row.ts'
import { openOutside, send } from '../e2e/app-test.ts'

const runs = 7
const limits = { rows: 1.5, taskMs: 50, scrolled: 15 }
/** Derived trades that make about 100 and 10,000 in view. */
const made = { few: 115, tenth: 11_500 * scale }
const person = { email: 'bench@example.com', password: 'correct horse', displayName: 'Bench' }
/** How far a frame scrolls, in pixels: some eighty lines, so that no frame shows what the one before showed. */
const stride = 3_000

/**
 * The logbook in Chromium: from the click in the sidebar, and from the call of its address, to the frame that shows its first rows, with 100,000
 * trades against 100, in turns, medians; and the longest task of the main thread while all 100,000 go by, some eighty lines a frame.
 */
export const benchLogbook = async (): Promise<readonly BenchRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-bench-'))
  const browser = await chromium.launch({ executablePath: ensureBrowser(), chromiumSandbox: !isRoot })
  const open: Logbook[] = []
  try {
    const places = await makeJournals(folder)
    for (const place of places) open.push(await openLogbook(place, browser))
    const [few, tenth, whole] = open as [Logbook, Logbook, Logbook]
    const [opened, called] = [await inTurns(open, clickLogbook), await inTurns(open, callLogbook)]
    const [scrolled, tenthScrolled] = [await scrollThrough(whole), await scrollThrough(tenth)]
    return [
      ...rowsOf('the logbook opened in the sidebar', opened, [few, tenth, whole]),
      ...rowsOf('the logbook called by its address', called, [few, tenth, whole]),
      ...scrollRows(whole, scrolled, tenth, tenthScrolled),
    ]
  } finally {
    await browser.close()
    for (const { app } of open) await app.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A program whose journal has so many trades, and the page of its user. */
type Logbook = { readonly app: RunningApp; readonly page: Page; readonly trades: number }

/** The same user's data folders with about 100, 10,000 and 100,000 trades. */
const makeJournals = async (folder: string): Promise<readonly string[]> => {
  const app = await startApp({ dataDir: join(folder, 'new'), gates: 'open' })
  const { currentUser } = await (await openApi(app.launchUrl))(sessionRoutes.signUp, person)
  await app.stop()
  const filled = async (name: string, trades: number): Promise<string> => {
    const place = join(folder, name)
    await cp(join(folder, 'new'), place, { recursive: true })
    await makeLargeJournal({ file: join(place, 'journal.db'), picturesFolder: join(place, 'pictures'), userId: currentUser.uid }, trades)
    return place
  }
  const [few, tenth] = [await filled('few', made.few), await filled('tenth', made.tenth)]
  const whole = join(folder, 'whole')
  await multiplied(join(tenth, 'journal.db'), whole, 10)
  return [few, tenth, whole]
}

const openLogbook = async (dataDir: string, browser: Browser): Promise<Logbook> => {
  const app = await startApp({ dataDir, gates: 'open' })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'America/New_York', locale: 'en-US' })
  const page = await context.newPage()
  await openOutside(page, app)
  await send(page, sessionRoutes.signIn.path, person)
  await watchFirstRows(page)
  await callLogbook(page, app.origin)
  return { app, page, trades: Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1 }
}

/** Milliseconds of each logbook, turn by turn; the first turn warms up. */
const inTurns = async (logbooks: readonly Logbook[], measure: (page: Page, origin: string) => Promise<number>): Promise<readonly number[]> => {
  const took = logbooks.map((): number[] => [])
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, { page, app }] of logbooks.entries()) {
      const ms = await measure(page, app.origin)
      if (run > 0) took[index]?.push(ms)
    }
  }
  return took.map(median)
}

const rowsOf = (name: string, [few = NaN, tenth = NaN, whole = NaN]: readonly number[], [first, , last]: readonly [Logbook, Logbook, Logbook]): readonly BenchRow[] => [
  { name: `${name}, first rows of ${counted(last.trades)} trades against ${counted(first.trades)}`, ratio: whole / few, limit: limits.rows, details: { few: rounded(few), many: rounded(whole), runs } },
  { name: `${name}, growth from a tenth`, ratio: whole / tenth, limit: limits.rows, details: { tenth: rounded(tenth), many: rounded(whole) } },
]

type Scrolled = MainThread & { readonly frames: number; readonly ms: number }

const scrollThrough = async ({ page, app }: Logbook): Promise<Scrolled> => {
  await untilQuiet(page, () => callLogbook(page, app.origin))
  let frames = 0
  const from = performance.now()
  const trace = await traceMainThread(page, async () => {
    frames = await scrollLogbook(page, stride)
  })
  return { ...trace, frames, ms: performance.now() - from }
}

const scrollRows = (whole: Logbook, scrolled: Scrolled, tenth: Logbook, tenthScrolled: Scrolled): readonly BenchRow[] => {
  const longest = ({ tasks }: Scrolled): number => Math.max(...tasks.map(({ wallMs }) => wallMs))
  const spent = ({ tasks }: Scrolled): number => tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const name = `the logbook of ${counted(whole.trades)} trades scrolled end to end`
  return [
    { name: `${name}, longest task`, ratio: longest(scrolled) / limits.taskMs, limit: 1, details: { 'longest by the clock': rounded(longest(scrolled)), 'longest of the processor': rounded(scrolled.tasks[0]?.cpuMs ?? NaN), 'over 50 ms': scrolled.tasks.filter(({ wallMs }) => wallMs > limits.taskMs).length, tasks: scrolled.tasks.length, frames: scrolled.frames, seconds: Math.round(scrolled.seconds) } },
    { name: `${name}, all tasks, growth from ${counted(tenth.trades)}`, ratio: spent(scrolled) / spent(tenthScrolled), limit: limits.scrolled, details: { few: rounded(spent(tenthScrolled)), many: rounded(spent(scrolled)), 'longest of few': rounded(longest(tenthScrolled)) } },
  ]
}
