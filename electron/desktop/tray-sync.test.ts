import { expect, test } from 'vitest'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Told } from './sync-notice.ts'
import { createTraySync } from './tray-sync.ts'
import { createWords } from './words.ts'

const counts = { added: 0, changed: 0, removed: 0 }
const receipt: SyncReceipt = {
  ...{ runId: 'r', trigger: 'manual', startedAt: '2026-11-20T21:00:00Z', endedAt: '2026-11-20T21:00:02Z', outcome: 'complete', logins: 1, accounts: 3 },
  ...{ fills: { received: 9, added: 9, changed: 0, unchanged: 0, refused: 0 }, batches: 1, pairs: counts, trips: { ...counts, added: 3 }, outbox: 0, refused: [], refusedTotal: 0, holdings: [], troubles: [] },
}

const start = (given: { user?: string | null; refuses?: ProblemCode } = {}) => {
  const it = { user: given.user === undefined ? 'ann' : given.user, run: Promise.withResolvers<SyncReceipt>(), runs: 0, looks: 0, opened: [] as (string | undefined)[], told: [] as Told[], logged: 0 }
  const sync = createTraySync({
    desk: {
      sync: () => {
        it.runs += 1
        return Promise.resolve(given.refuses === undefined ? ok({ ended: it.run.promise }) : err(given.refuses))
      },
    },
    watch: { whoIs: () => Promise.resolve(it.user), look: () => void (it.looks += 1) },
    openWindow: (place) => void it.opened.push(place),
    tell: (told) => void it.told.push(told),
    words: createWords('en'),
    log: { warn: () => void (it.logged += 1) },
  })
  return { it, sync }
}

test('one notice at its end, however often it was requested', async () => {
  const { it, sync } = start()
  const asked = [sync(), sync(), sync()]
  it.run.resolve(receipt)
  await Promise.all(asked)
  expect([it.runs, it.looks, it.opened]).toEqual([1, 1, []])
  expect(it.told).toEqual([{ title: 'Trades are up to date', body: '3 new trades', place: null }])
  await sync()
  expect([it.runs, it.told.length]).toEqual([2, 2])
})

test('where nobody is signed in the window opens, and nothing is asked', async () => {
  const { it, sync } = start({ user: null })
  await sync()
  expect(it).toMatchObject({ runs: 0, opened: [undefined], told: [] })
})

test('a missing plan opens the plans; any other refusal shows a notice', async () => {
  const plan = start({ refuses: 'plan-needed' })
  await plan.sync()
  expect(plan.it).toMatchObject({ opened: ['/dashboard/ManageSubscription'], told: [], looks: 0 })
  const away = start({ refuses: 'cloud-unreachable' })
  await away.sync()
  expect(away.it).toMatchObject({ opened: [], told: [{ title: 'The sync could not start' }] })
  // And it can be tried again.
  await away.sync()
  expect(away.it.runs).toBe(2)
})

test('a user who signed in meanwhile sees no notice of another user', async () => {
  const { it, sync } = start()
  const asked = sync()
  it.user = 'bob'
  it.run.resolve(receipt)
  await asked
  expect(it.told).toEqual([])
})

test('an unusable journal shows a notice, is logged, and does not reject', async () => {
  const { it, sync } = start()
  const asked = sync()
  it.run.reject(new Error('closed'))
  await asked
  expect(it).toMatchObject({ logged: 1, told: [{ title: 'Sync failed', body: 'Something went wrong inside Fillbook; its log has the cause.' }] })
})
