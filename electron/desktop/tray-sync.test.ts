import { expect, test } from 'vitest'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Notice } from './sync-notice.ts'
import { createTraySync } from './tray-sync.ts'
import { createWords } from './words.ts'

const counts = { added: 0, changed: 0, removed: 0 }
const receipt: SyncReceipt = {
  ...{ runId: 'r', trigger: 'manual', startedAt: '2026-11-20T21:00:00Z', endedAt: '2026-11-20T21:00:02Z', outcome: 'complete', logins: 1, accounts: 3 },
  ...{ fills: { received: 9, added: 9, changed: 0, unchanged: 0, refused: 0 }, batches: 1, pairs: counts, trips: { ...counts, added: 3 }, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [] },
}

const start = (given: { user?: string | null; refuses?: ProblemCode } = {}) => {
  const it = { user: given.user === undefined ? 'ann' : given.user, run: Promise.withResolvers<SyncReceipt>(), runs: 0, refreshes: 0, opened: [] as (string | undefined)[], notices: [] as Notice[], logged: 0 }
  const sync = createTraySync({
    desk: {
      sync: () => {
        it.runs += 1
        return Promise.resolve(given.refuses === undefined ? ok({ ended: it.run.promise }) : err(given.refuses))
      },
    },
    watch: { whoIs: () => Promise.resolve(it.user), refresh: () => void (it.refreshes += 1) },
    openWindow: (place) => void it.opened.push(place),
    notify: (notice) => void it.notices.push(notice),
    words: createWords('en'),
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, sync }
}

test('one notice at its end, however often it was requested', async () => {
  const { it, sync } = start()
  const runs = [sync(), sync(), sync()]
  it.run.resolve(receipt)
  await Promise.all(runs)
  expect([it.runs, it.refreshes, it.opened]).toEqual([1, 1, []])
  expect(it.notices).toEqual([{ title: 'Trades are up to date', body: '3 new trades', place: null }])
  await sync()
  expect([it.runs, it.notices.length]).toEqual([2, 2])
})

test('without a signed-in user the window opens, and no sync starts', async () => {
  const { it, sync } = start({ user: null })
  await sync()
  expect(it).toMatchObject({ runs: 0, opened: [undefined], notices: [] })
})

test('a missing plan opens the plans; any other refusal shows a notice', async () => {
  const plan = start({ refuses: 'plan-needed' })
  await plan.sync()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], notices: [], refreshes: 0 })
  const away = start({ refuses: 'cloud-unreachable' })
  await away.sync()
  expect(away.it).toMatchObject({ opened: [], notices: [{ title: 'The sync could not start' }] })
  // A retry works.
  await away.sync()
  expect(away.it.runs).toBe(2)
})

test('a user who signed in meanwhile sees no notice of another user', async () => {
  const { it, sync } = start()
  const runs = sync()
  it.user = 'bob'
  it.run.resolve(receipt)
  await runs
  expect(it.notices).toEqual([])
})

test('an unusable journal shows a notice, is logged, and does not reject', async () => {
  const { it, sync } = start()
  const runs = sync()
  it.run.reject(new Error('closed'))
  await runs
  expect(it).toMatchObject({ logged: 1, notices: [{ title: 'Sync failed', body: 'Something went wrong inside Fillbook; its log has the cause.' }] })
})
