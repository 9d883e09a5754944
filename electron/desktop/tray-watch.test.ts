// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Glance } from '#backend/host.ts'
import type { Pushed } from '#shared/api/sync.ts'
import { until } from '#tests/helpers/until.ts'
import { showsTray, watchTray } from './tray.ts'

const glance = (zone: string): Glance => ({ lastSync: null, running: null, today: [], timeZone: zone, copier: null })
const progress = (overall: number): Pushed => ({ type: 'sync-progress', progress: { runId: 'r', phase: 'fills', done: 1, total: 2, overall } })

/** A desktop with two users: the cookie names the user, and the glance's time zone names its user. */
const start = (given: { everyMs?: number } = {}) => {
  const it = { cookie: 'ann', states: [] as (Glance | null)[], alerts: [] as string[], failures: [] as unknown[], refreshes: 0, hold: null as Promise<void> | null, breaks: false }
  const listeners = new Set<{ userId: string; hear: (event: Pushed) => void }>()
  let cookiesChanged = (): void => undefined
  const watch = watchTray({
    desktop: {
      whoIs: (header) => Promise.resolve(header === '' ? null : { userId: header, demo: false }),
      glance: async (userId) => {
        it.refreshes += 1
        await it.hold
        if (it.breaks) throw new Error('closed')
        return glance(userId)
      },
      listen: (userId, listener) => {
        const page = { userId, hear: listener }
        listeners.add(page)
        return () => void listeners.delete(page)
      },
    },
    cookieHeader: () => Promise.resolve(it.cookie),
    onCookiesChanged: (listener) => void (cookiesChanged = listener),
    changed: (state) => void it.states.push(state),
    alerted: (userId, { rule, level }) => void it.alerts.push(`${userId} ${rule} ${String(level)}`),
    copierAlerted: ({ trouble, accountName }) => void it.alerts.push(`${accountName} ${trouble}`),
    failed: (error) => void it.failures.push(error),
    ...given,
  })
  onTestFinished(watch.stop)
  const become = (cookie: string): void => {
    it.cookie = cookie
    cookiesChanged()
  }
  const push = (userId: string, event: Pushed): void => {
    for (const listener of [...listeners]) if (listener.userId === userId) listener.hear(event)
  }
  const shown = (wanted: Glance | null, what: string) => until(() => (JSON.stringify(it.states.at(-1)) === JSON.stringify(wanted) ? true : null), what, 5_000)
  return { it, watch, become, push, shown, listeners }
}

test('it follows the window’s signed-in user, and nobody after sign-out', async () => {
  const { become, shown, listeners, watch } = start()
  await shown(glance('ann'), 'ann')
  become('bob')
  await shown(glance('bob'), 'bob')
  expect([...listeners].map(({ userId }) => userId)).toEqual(['bob'])
  expect(await watch.whoIs()).toBe('bob')
  become('')
  await shown(null, 'nobody')
  expect(listeners.size).toBe(0)
  expect(await watch.whoIs()).toBeNull()
})

test('progress shows at once, and its end triggers a refresh', async () => {
  const { it, push, shown } = start()
  await shown(glance('ann'), 'ann')
  const refreshes = it.refreshes
  push('ann', progress(0.25))
  expect(it.states.at(-1)).toEqual({ ...glance('ann'), running: 0.25 })
  push('bob', progress(0.75))
  expect(it.states.at(-1)?.running).toBe(0.25)
  expect(it.refreshes).toBe(refreshes)
  push('ann', { type: 'journal-changed' })
  await shown(glance('ann'), 'the end')
  expect(it.refreshes).toBe(refreshes + 1)
})

test('many changes at once cause one refresh, and a sign-out elsewhere is noticed', async () => {
  const { it, push, shown } = start()
  await shown(glance('ann'), 'ann')
  const refreshes = it.refreshes
  for (let event = 0; event < 50; event += 1) push('ann', { type: 'journal-changed' })
  await until(() => (it.refreshes > refreshes ? true : null), 'a refresh', 5_000)
  it.cookie = ''
  push('ann', { type: 'signed-out' })
  await shown(null, 'nobody')
  expect(it.refreshes - refreshes).toBeLessThanOrEqual(2)
})

test('a slow refresh does not show a user who has signed out meanwhile', async () => {
  const { it, become, shown } = start()
  await shown(glance('ann'), 'ann')
  const gate = Promise.withResolvers<undefined>()
  it.hold = gate.promise
  become('bob')
  await until(() => (it.refreshes === 2 ? true : null), 'the refresh at bob', 5_000)
  become('')
  gate.resolve(undefined)
  await shown(null, 'nobody')
  expect(it.states.map((state) => state?.timeZone)).not.toContain('bob')
})

test('a failed refresh is recoverable: the next one shows again', async () => {
  const { it, become, shown } = start()
  await shown(glance('ann'), 'ann')
  it.breaks = true
  become('bob')
  await until(() => (it.failures.length === 1 ? true : null), 'the failure', 5_000)
  it.breaks = false
  become('bob')
  await shown(glance('bob'), 'bob')
})

test('it refreshes periodically until it is stopped', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { it, watch, push, listeners } = start({ everyMs: 1_000 })
  await vi.advanceTimersByTimeAsync(3_500)
  expect([it.refreshes, it.states]).toEqual([4, Array.from({ length: 4 }, () => glance('ann'))])
  watch.stop()
  expect(vi.getTimerCount()).toBe(0)
  push('ann', progress(0.5))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([it.refreshes, it.states.length, listeners.size]).toEqual([4, 4, 0])
})

test('an armed or paused copier shows at once without a refresh, and other copier events change nothing', async () => {
  const { it, push, shown } = start()
  await shown(glance('ann'), 'ann')
  const refreshes = it.refreshes
  const group = { id: 'g', unsaved: false, dryRun: false, blocked: null, leaderLine: 'up', leader: [], followers: [], waiting: { reduce: 0, enter: 0, exits: 0 } } as const
  const live = (...states: ('off' | 'armed' | 'paused')[]): Pushed => ({ type: 'copier', live: { seq: 1, at: 0, budgets: [], groups: states.map((state) => ({ ...group, state, leader: [], left: [], followers: [] })) } })
  for (const [states, copier] of [[['off'], null], [['off', 'armed'], 'armed'], [['paused', 'armed'], 'armed'], [['paused', 'off'], 'paused'], [[], null]] as const) {
    push('ann', live(...states))
    expect(it.states.at(-1)).toEqual({ ...glance('ann'), copier })
  }
  const shownStates = it.states.length
  push('ann', live())
  expect([it.states.length, it.refreshes]).toEqual([shownStates, refreshes])
})

test('rule alerts are shown for the signed-in user only', async () => {
  const { it, become, push, shown } = start()
  const alert = { id: 1, at: '2026-11-20T21:00:00Z', account: 'a', accountName: 'A', rule: 'daily-loss', level: 80, unit: 'money', limit: '100', value: '-80', left: '20', currency: 'USD', seen: false } as const
  await shown(glance('ann'), 'ann')
  push('ann', { type: 'rule-alert', alert })
  push('bob', { type: 'rule-alert', alert })
  become('bob')
  await shown(glance('bob'), 'bob')
  push('bob', { type: 'rule-alert', alert: { ...alert, level: 95 } })
  const copierAlert = { trouble: 'unprotected', groupId: 'g', group: 'Morning', account: 'a', accountName: 'A', unprotected: 'keep', brokerText: null } as const
  push('bob', { type: 'copier-alert', alert: copierAlert })
  push('ann', { type: 'copier-alert', alert: { ...copierAlert, trouble: 'guard' } })
  expect(it.alerts).toEqual(['ann daily-loss 80', 'bob daily-loss 95', 'A unprotected'])
  expect(it.refreshes).toBe(2)
})

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
const answering = (script: string): NodeJS.ProcessEnv => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-bus-'))
  onTestFinished(() => { rmSync(folder, { recursive: true }) })
  writeFileSync(join(folder, 'gdbus'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { ...bus, PATH: folder }
}

test('a Linux desktop without a tray host shows no tray', async () => {
  expect(await showsTray('linux', answering("echo '(false,)'"))).toBe(false)
  expect(await showsTray('linux', answering("echo '(true,)'"))).toBe(true)
})

test('if it cannot be determined, and on every other system, there is a tray', async () => {
  expect(await showsTray('linux', answering('echo broken >&2; exit 1'))).toBe(true)
  expect(await showsTray('linux', { ...bus, PATH: '/nowhere' })).toBe(true)
  const saysNone = answering("echo '(false,)'")
  expect(await showsTray('linux', { PATH: saysNone['PATH'] })).toBe(true)
  expect(await showsTray('darwin', saysNone)).toBe(true)
  expect(await showsTray('win32', saysNone)).toBe(true)
})
