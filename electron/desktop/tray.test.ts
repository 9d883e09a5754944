import { expect, test, vi } from 'vitest'
import type { Glance } from '#backend/host.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { err, ok } from '#shared/base/result.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import type { Notice } from './notices.ts'
import { createTrayCommands, trayIcon, trayMenu, trayTip } from './tray.ts'
import { createWords } from './words.ts'

test.each([
  ['darwin', { shouldUseDarkColors: true, shouldUseDarkColorsForSystemIntegratedUI: false }, 'trayTemplate.png'],
  ['win32', { shouldUseDarkColors: true, shouldUseDarkColorsForSystemIntegratedUI: false }, 'tray-light.ico'],
  ['win32', { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: true }, 'tray-dark.ico'],
  ['win32', { shouldUseDarkColors: true }, 'tray-dark.ico'],
  ['linux', { shouldUseDarkColors: true }, 'tray-dark.png'],
  ['linux', { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: undefined }, 'tray-light.png'],
] as const)('on %s with %o it is %s', (platform, bars, name) => {
  expect(trayIcon(platform, bars)).toBe(name)
})

const words = createWords('en')
const nothing = { syncTrades: () => undefined, pauseCopier: () => undefined, resumeCopier: () => undefined, openWindow: () => undefined, quit: () => undefined }
const money = (units: number, currency: string) => ({ amount: amountOf(units), currency: currency as Currency })
const glance = (more: Partial<Glance> = {}): Glance => ({
  lastSync: { at: Date.UTC(2026, 10, 20, 21, 5), outcome: 'complete' }, running: null, today: [money(4_619_050, 'USD')], timeZone: 'America/New_York', copier: null,
  ...more,
})
/** The entries as text; disabled ones in brackets. */
const read = (state: Glance | null, language = words): string[] => trayMenu(state, language, nothing).map(({ label, type, enabled }) => (type === 'separator' ? '-' : enabled === false ? `(${label ?? ''})` : (label ?? '')))

test('the whole menu of a signed-in user', () => {
  expect(read(glance())).toEqual(['Sync Trades', '(Last sync Nov 20, 16:05)', '-', '(Today’s P&&L +$461.91)', '-', 'Open Fillbook', '-', 'Quit Fillbook'])
  expect(read(null)).toEqual(['Sign in to sync', '-', 'Open Fillbook', '-', 'Quit Fillbook'])
  expect(read(glance({ lastSync: null, today: [] }))).toEqual(['Sync Trades', '(Not synced yet)', '-', '(No trades today)', '-', 'Open Fillbook', '-', 'Quit Fillbook'])
})

test('an armed copier can be paused, then resumed', () => {
  expect(read(glance({ copier: 'armed' })).slice(3, 6)).toEqual(['(Today’s P&&L +$461.91)', 'Pause Copier', '-'])
  expect(read(glance({ copier: 'paused' })).slice(3, 6)).toEqual(['(Today’s P&&L +$461.91)', 'Resume Copier', '-'])
})

test.each([
  [0, '(Syncing… 0%)'],
  [0.404, '(Syncing… 40%)'],
  [1, '(Syncing… 100%)'],
])('while a run is at %d it can not be started again', (running, label) => {
  expect(read(glance({ running }))[0]).toBe(label)
})

test.each([
  ['partial', '(Last sync Nov 20, 16:05, partly)'],
  ['failed', '(Last sync Nov 20, 16:05, failed)'],
] as const)('a %s run is called so', (outcome, label) => {
  expect(read(glance({ lastSync: { at: Date.UTC(2026, 10, 20, 21, 5), outcome } }))[1]).toBe(label)
})

test.each([
  [[money(-691_649, 'USD')], '(Today’s P&&L −$69.16)'],
  [[money(-691_650, 'USD')], '(Today’s P&&L −$69.17)'],
  [[money(0, 'USD')], '(Today’s P&&L $0.00)'],
  [[money(-40, 'USD')], '(Today’s P&&L $0.00)'],
  [[money(-100_000, 'EUR'), money(12_345_670_000, 'USD')], '(Today’s P&&L −€10.00 · +$1,234,567.00)'],
  // Too large for a double to be exact to the cent.
  [[money(Number.MAX_SAFE_INTEGER, 'USD')], '(Today’s P&&L +$900,719,925,474.10)'],
])('money is exact to the cent, each currency by itself: %o', (today, label) => {
  expect(read(glance({ today }))[3]).toBe(label)
})

test('times are in the profile’s time zone, and texts in the current language', () => {
  expect(read(glance({ timeZone: 'Asia/Kolkata' }))[1]).toBe('(Last sync Nov 21, 02:35)')
  const malayalam = read(glance({ running: 0.5 }), createWords('ml-IND'))
  expect(malayalam[0]).toContain('50%')
  expect(malayalam.filter((label) => label !== '-' && !/\p{Script=Malayalam}/u.test(label))).toEqual([])
})

test('each entry runs its action', () => {
  const actions = { syncTrades: vi.fn(), pauseCopier: vi.fn(), resumeCopier: vi.fn(), openWindow: vi.fn(), quit: vi.fn() }
  const click = (state: Glance | null, label: string): void => {
    const entry = trayMenu(state, words, actions).find((one) => one.label === label)
    ;(entry?.click as () => void)()
  }
  const called = () => Object.values(actions).map((action) => action.mock.calls.length)
  click(glance(), 'Sync Trades')
  expect(called()).toEqual([1, 0, 0, 0, 0])
  click(glance(), 'Open Fillbook')
  click(null, 'Sign in to sync')
  expect(called()).toEqual([1, 0, 0, 2, 0])
  click(null, 'Quit Fillbook')
  expect(called()).toEqual([1, 0, 0, 2, 1])
  click(glance({ copier: 'armed' }), 'Pause Copier')
  expect(called()).toEqual([1, 1, 0, 2, 1])
  click(glance({ copier: 'paused' }), 'Resume Copier')
  expect(called()).toEqual([1, 1, 1, 2, 1])
  // The actions do not get Electron's arguments.
  expect(Object.values(actions).flatMap((action) => action.mock.calls.flat())).toEqual([])
})

test("the tooltip is the name and the day’s result", () => {
  expect(trayTip(glance(), words)).toBe('Fillbook\nToday’s P&L +$461.91')
  expect(trayTip(null, words)).toBe('Fillbook')
})

const noCommand = (): never => expect.unreachable('another command was asked for')
const noDesk = { sync: noCommand, pauseCopier: noCommand, resumeCopier: noCommand }
const counts = { added: 0, changed: 0, removed: 0 }
const receipt: SyncReceipt = {
  runId: 'r', trigger: 'manual', startedAt: '2026-11-20T21:00:00Z', endedAt: '2026-11-20T21:00:02Z', outcome: 'complete', logins: 1, accounts: 3,
  fills: { received: 9, added: 9, changed: 0, unchanged: 0, refused: 0 }, batches: 1, pairs: counts, trades: { ...counts, added: 3 }, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [],
}

const startSync = (given: { user?: string | null; refuses?: ProblemCode } = {}) => {
  const it = { user: given.user === undefined ? 'ann' : given.user, run: Promise.withResolvers<SyncReceipt>(), runs: 0, refreshes: 0, opened: [] as (string | undefined)[], notices: [] as Notice[], logged: 0 }
  const { syncTrades: sync } = createTrayCommands({
    desktop: {
      ...noDesk,
      sync: () => {
        it.runs += 1
        return Promise.resolve(given.refuses === undefined ? ok({ ended: it.run.promise }) : err(given.refuses))
      },
    },
    watch: { whoIs: () => Promise.resolve(it.user), refresh: () => void (it.refreshes += 1) },
    openWindow: (place) => void it.opened.push(place),
    notify: (notice) => void it.notices.push(notice),
    words: words,
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, sync }
}

test('one notice at its end, however often it was requested', async () => {
  const { it, sync } = startSync()
  const runs = [sync(), sync(), sync()]
  it.run.resolve(receipt)
  await Promise.all(runs)
  expect([it.runs, it.refreshes, it.opened]).toEqual([1, 1, []])
  expect(it.notices).toEqual([{ title: 'Trades are up to date', body: '3 new trades', route: null }])
  await sync()
  expect([it.runs, it.notices.length]).toEqual([2, 2])
})

test('without a signed-in user the window opens, and no sync starts', async () => {
  const { it, sync } = startSync({ user: null })
  await sync()
  expect(it).toMatchObject({ runs: 0, opened: [undefined], notices: [] })
})

test('a missing plan opens the plans; any other refusal shows a notice', async () => {
  const plan = startSync({ refuses: 'plan-needed' })
  await plan.sync()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], notices: [], refreshes: 0 })
  const away = startSync({ refuses: 'cloud-unreachable' })
  await away.sync()
  expect(away.it).toMatchObject({ opened: [], notices: [{ title: 'The sync could not start' }] })
  // A retry works.
  await away.sync()
  expect(away.it.runs).toBe(2)
})

test('a user who signed in meanwhile sees no notice of another user', async () => {
  const { it, sync } = startSync()
  const runs = sync()
  it.user = 'bob'
  it.run.resolve(receipt)
  await runs
  expect(it.notices).toEqual([])
})

test('an unusable journal shows a notice, is logged, and does not reject', async () => {
  const { it, sync } = startSync()
  const runs = sync()
  it.run.reject(new Error('closed'))
  await runs
  expect(it).toMatchObject({ logged: 1, notices: [{ title: 'Sync failed', body: 'Something went wrong inside Fillbook; its log has the cause.' }] })
})

const startCopier = (given: { user?: string | null; refuses?: ProblemCode; breaks?: boolean } = {}) => {
  const it = { calls: [] as string[], refreshes: 0, opened: [] as (string | undefined)[], notices: [] as Notice[], logged: 0 }
  const record = (what: string) => (userId: string): void => {
    if (given.breaks === true) throw new Error('closed')
    it.calls.push(`${what} ${userId}`)
  }
  const { pauseCopier: pause, resumeCopier: resume } = createTrayCommands({
    desktop: {
      ...noDesk,
      pauseCopier: (userId) => Promise.resolve(userId).then(record('pause')),
      resumeCopier: (userId) => Promise.resolve(userId).then(record('resume')).then(() => (given.refuses === undefined ? ok(null) : err(given.refuses))),
    },
    watch: { whoIs: () => Promise.resolve(given.user === undefined ? 'ann' : given.user), refresh: () => void (it.refreshes += 1) },
    openWindow: (place) => void it.opened.push(place),
    notify: (notice) => void it.notices.push(notice),
    words: words,
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, copier: { pause, resume } }
}

test('it pauses and resumes for the signed-in user only', async () => {
  const { it, copier } = startCopier()
  await copier.pause()
  await copier.resume()
  expect(it).toEqual({ calls: ['pause ann', 'resume ann'], refreshes: 2, opened: [], notices: [], logged: 0 })
  const nobody = startCopier({ user: null })
  await nobody.copier.pause()
  await nobody.copier.resume()
  expect(nobody.it).toMatchObject({ calls: [], opened: [undefined, undefined], notices: [] })
})

test('a failure shows a notice, and a missing plan opens the plans', async () => {
  const plan = startCopier({ refuses: 'plan-needed' })
  await plan.copier.resume()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], notices: [] })
  const away = startCopier({ refuses: 'cloud-unreachable' })
  await away.copier.resume()
  expect(away.it.notices).toEqual([{ title: 'The copier could not be resumed', body: 'Your plan could not be checked. Check the internet connection and try again.', route: '/dashboard/TradeCopier' }])
  const broken = startCopier({ breaks: true })
  await broken.copier.pause()
  expect(broken.it).toMatchObject({ notices: [{ title: 'The copier could not be paused' }], logged: 1 })
})
