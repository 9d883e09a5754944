import { expect, test, vi } from 'vitest'
import type { Glance } from '#backend/host.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import { trayMenu, trayTip, type TrayState } from './tray-menu.ts'
import { createWords } from './words.ts'

const words = createWords('en')
const nothing = { syncTrades: () => undefined, pauseCopier: () => undefined, resumeCopier: () => undefined, openWindow: () => undefined, quit: () => undefined }
const money = (units: number, currency: string) => ({ amount: amountOf(units), currency: currency as Currency })
const glance = (more: Partial<Glance> = {}): Glance => ({
  ...{ lastSync: { at: Date.UTC(2026, 10, 20, 21, 5), outcome: 'complete' }, running: null, today: [money(4_619_050, 'USD')], timeZone: 'America/New_York', copier: null },
  ...more,
})
/** The entries as text; disabled ones in brackets. */
const read = (state: TrayState, language = words): string[] => trayMenu(state, language, nothing).map(({ label, type, enabled }) => (type === 'separator' ? '-' : enabled === false ? `(${label ?? ''})` : (label ?? '')))

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
  const click = (state: TrayState, label: string): void => {
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
