import { expect, onTestFinished, test } from 'vitest'
import { isGood, noCounts, receiptOf } from '#shared/sync/receipt.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { Login, Profile } from '../db/rows.ts'
import { startSchedule } from './schedule.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const login = (userId: string, status: 'ok' | 'expired' = 'ok'): Login => ({ id: `login of ${userId}`, userId, broker: 'tradovate', brokerUserId: '1', name: 'n', status, lastError: null, refusedAt: null, hosts: null, connectedAt: 0 })
const profile = (id: string): Profile => ({ id, email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: id === 'demo', timeZone: 'UTC', createdAt: 0, lastSignInAt: null, firebaseUid: null, firebaseUser: null })

/** A clock that jumps to the end of every sleep until `end` is reached, where it stops for good; `putBack` once it comes to a moment, by so many ms. */
const clock = (start: string, end: string, putBack: { readonly at: string; readonly by: number } | null) => {
  let time = Date.parse(start)
  let right = putBack === null
  let over = (): void => undefined
  const done = new Promise<void>((resolve) => (over = resolve))
  const sleep = async (ms: number): Promise<void> => {
    time += ms
    if (putBack !== null && !right && time >= Date.parse(putBack.at)) {
      right = true
      time -= putBack.by
    }
    // The schedule's own promises get their turn.
    await new Promise((resolve) => setImmediate(resolve))
    if (!right || time < Date.parse(end)) return
    over()
    await new Promise(() => undefined)
  }
  return { done, timing: { now: () => time, sleep, random: () => 0.5 } }
}

const watch = async (given: { from: string; to: string; logins: readonly Login[]; fails?: (at: string) => boolean; breaks?: boolean; without?: string; planFrom?: string; putBack?: { readonly at: string; readonly by: number } }) => {
  const { timing, done } = clock(given.from, given.to, given.putBack ?? null)
  const lastRuns = new Map<string, { attempt: number | null; good: number | null }>()
  const runs: string[] = []
  const kept: string[] = []
  const read = {
    logins: () => Promise.resolve([...given.logins]),
    profile: ({ id }: { id: string }) => Promise.resolve(profile(id)),
    lastRuns: ({ userId, until }: { userId: string; until: number }) => {
      const { attempt, good } = lastRuns.get(userId) ?? { attempt: null, good: null }
      const past = (at: number | null): number | null => (at === null || at > until ? null : at)
      return Promise.resolve({ attempt: past(attempt), good: past(good) })
    },
  }
  const schedule = startSchedule({
    // Of the journal the schedule asks no more than this.
    journal: { read } as unknown as JournalCalls,
    timing,
    log: quiet,
    mayRun: (userId) => Promise.resolve(given.without !== userId || timing.now() >= Date.parse(given.planFrom ?? given.to)),
    keepAlive: (userId) => Promise.resolve(void kept.push(`${userId} ${new Date(timing.now()).toISOString()}`)),
    start: ({ userId, trigger }) => {
      const at = new Date(timing.now()).toISOString()
      runs.push(`${userId} ${trigger} ${at.slice(5, 16)}`)
      if (given.breaks) return { runId: '', joined: false, ended: Promise.reject(new Error('disk')) }
      const trouble = { loginId: 'l', loginName: 'n', environment: null, code: 'unreachable', detail: null, retryAfterMs: null } as const
      const receipt = receiptOf({
        runId: '', trigger, startedAt: at, endedAt: at, logins: 1, accounts: 1, counts: noCounts, refused: [],
        holdings: [], troubles: given.fails?.(at) ? [trouble] : [], finishedParts: 1,
      })
      lastRuns.set(userId, { attempt: timing.now(), good: isGood(receipt) ? timing.now() : lastRuns.get(userId)?.good ?? null })
      return { runId: '', joined: false, ended: Promise.resolve(receipt) }
    },
  })
  onTestFinished(() => schedule.stop())
  await done
  return { runs, kept, schedule }
}

// July: Chicago is five hours behind UTC.
test('the end of a day: pulls to 15:55, the daily run, its retries, and the next session', async () => {
  const { runs } = await watch({ from: '2026-07-15T20:48:00Z', to: '2026-07-15T22:06:00Z', logins: [login('u')], fails: (at) => at > '2026-07-15T20:55' && at < '2026-07-15T21:20' })
  expect(runs).toEqual([
    'u schedule 07-15T20:48', 'u schedule 07-15T20:53', 'u schedule 07-15T20:55',
    'u daily 07-15T21:02', 'u daily 07-15T21:12', 'u daily 07-15T21:22',
    'u schedule 07-15T22:00', 'u schedule 07-15T22:05',
  ])
})

test('over the weekend nothing is fetched, but the logins are kept alive', async () => {
  const { runs, kept } = await watch({ from: '2026-07-17T21:03:00Z', to: '2026-07-19T21:59:00Z', logins: [login('u')] })
  expect(runs).toEqual(['u daily 07-17T21:03'])
  expect(kept).toHaveLength(49)
})

test('the demo profile and expired logins have no schedule', async () => {
  const { runs, kept, schedule } = await watch({ from: '2026-07-15T15:00:00Z', to: '2026-07-15T16:00:00Z', logins: [login('demo'), login('v', 'expired')] })
  expect([runs, kept]).toEqual([[], []])
  expect(await schedule.nextAt('demo')).toBeNull()
  expect(await schedule.nextAt('v')).toBeNull()
})

test('every profile has its own runs, and knows when the next one is', async () => {
  const { runs, schedule } = await watch({ from: '2026-07-15T15:00:00Z', to: '2026-07-15T15:04:00Z', logins: [login('u'), login('v')] })
  expect(runs).toEqual(['u schedule 07-15T15:00', 'v schedule 07-15T15:00'])
  expect(new Date((await schedule.nextAt('u')) ?? 0).toISOString()).toBe('2026-07-15T15:05:00.000Z')
})

test('the next try after a pause of the broker is the first run behind it', async () => {
  const { schedule } = await watch({ from: '2026-07-17T20:30:00Z', to: '2026-07-17T20:31:00Z', logins: [login('u')] })
  const next = async (notBefore: string) => new Date((await schedule.nextAt('u', Date.parse(notBefore))) ?? 0).toISOString()
  expect(await next('2026-07-17T20:00:00Z')).toBe('2026-07-17T20:35:00.000Z')
  expect(await next('2026-07-17T20:41:00Z')).toBe('2026-07-17T20:41:00.000Z')
  expect(await next('2026-07-18T04:00:00Z')).toBe('2026-07-19T22:00:00.000Z')
})

test('a run that could not even keep its receipt is tried again only after the usual pause', async () => {
  const { runs } = await watch({ from: '2026-07-15T15:00:00Z', to: '2026-07-15T15:07:00Z', logins: [login('u'), login('v')], breaks: true })
  expect(runs).toEqual(['u schedule 07-15T15:00', 'v schedule 07-15T15:00', 'u schedule 07-15T15:05', 'v schedule 07-15T15:05'])
})

test('a profile without a plan is not synced and shows no run, but its logins stay alive; a plan is seen within a minute', async () => {
  const without = { logins: [login('u'), login('v')], without: 'u' }
  const { runs, kept } = await watch({ ...without, from: '2026-07-15T15:00:00Z', to: '2026-07-15T15:07:00Z' })
  expect(runs).toEqual(['v schedule 07-15T15:00', 'v schedule 07-15T15:05'])
  expect(kept.map((one) => one.slice(0, 1))).toEqual(['u', 'v'])
  const later = await watch({ ...without, from: '2026-07-15T15:00:00Z', to: '2026-07-15T15:04:00Z', planFrom: '2026-07-15T15:02:00Z' })
  expect(later.runs).toEqual(['v schedule 07-15T15:00', 'u schedule 07-15T15:02'])
  expect(await later.schedule.nextAt('u')).not.toBeNull()
  const never = await watch({ ...without, from: '2026-07-15T15:00:00Z', to: '2026-07-15T15:04:00Z', planFrom: '2026-07-16T15:00:00Z' })
  expect(await never.schedule.nextAt('u')).toBeNull()
})

test('a clock that was a year ahead and is put right costs no run: the next ones follow each other as before, and logins are kept alive', async () => {
  const year = 365 * 86_400_000
  const { runs, kept } = await watch({ from: '2027-07-15T15:00:00Z', to: '2026-07-15T15:21:00Z', logins: [login('u')], putBack: { at: '2027-07-15T15:10:00Z', by: year } })
  expect(runs).toEqual(['u schedule 07-15T15:00', 'u schedule 07-15T15:05', 'u schedule 07-15T15:10', 'u schedule 07-15T15:15', 'u schedule 07-15T15:20'])
  expect(kept).toEqual(['u 2027-07-15T15:00:00.000Z', 'u 2026-07-15T15:10:00.000Z'])
})
