import { expect, test } from 'vitest'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import { noCounts, receiptOf } from '#shared/sync/receipt.ts'
import { createRuns, type RunsDeps } from './service.ts'
import type { RunRequest } from './sync.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const receipt = ({ runId, trigger }: RunRequest): SyncReceipt =>
  receiptOf({ runId, trigger, startedAt: '2026-07-15T15:00:00Z', endedAt: '2026-07-15T15:00:01Z', logins: 1, accounts: 1, counts: noCounts, refused: [], holdings: [], troubles: [], finishedParts: 1 })

/** Runs that end when the test ends them. */
const workshop = () => {
  const begun: RunRequest[] = []
  const ends: ((outcome: 'well' | 'badly') => void)[] = []
  const published: unknown[] = []
  let report: (progress: SyncProgress) => void = () => undefined
  let count = 0
  const deps: RunsDeps = {
    run: (request, progress) => {
      begun.push(request)
      report = progress
      return new Promise((resolve, reject) => ends.push((outcome) => (outcome === 'well' ? resolve(receipt(request)) : reject(new Error('disk')))))
    },
    newId: () => `run-${String((count += 1))}`,
    restored: () => Promise.resolve(),
    events: { push: (userId, event) => void (event.type === 'sync-progress' && published.push([userId, event.progress.phase])) },
    now: () => Date.UTC(2026, 6, 15),
    afterRun: (userId, { runId, outcome }) => published.push(outcome === 'complete' ? [userId, runId] : [userId, runId, outcome]),
    log: quiet,
  }
  return { runs: createRuns(deps), begun, ends, published, report: (progress: SyncProgress) => report(progress) }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a second request joins the running sync and gets the same receipt', async () => {
  const { runs, begun, ends } = workshop()
  const first = runs.start({ userId: 'u', trigger: 'manual' })
  await turn()
  const second = runs.start({ userId: 'u', trigger: 'schedule' })
  expect([first.joined, second.joined, second.runId]).toEqual([false, true, first.runId])
  ends[0]?.('well')
  expect(await second.ended).toBe(await first.ended)
  expect(begun).toHaveLength(1)
  expect(runs.start({ userId: 'u', trigger: 'manual' }).joined).toBe(false)
})

test('a run of all logins covers each of its user, one for a new login that login alone, and only until it ends', async () => {
  const { runs, ends } = workshop()
  const covered = (): boolean[] => [runs.covers('u', 'l'), runs.covers('u', 'm'), runs.covers('v', 'l')]
  const connect = runs.start({ userId: 'u', trigger: 'connect', loginId: 'l', sole: false })
  await turn()
  expect(covered()).toEqual([true, false, false])
  const all = runs.start({ userId: 'u', trigger: 'manual' })
  expect(covered()).toEqual([true, true, false])
  ends[0]?.('well')
  await connect.ended
  await turn()
  ends[1]?.('well')
  await all.ended
  expect(covered()).toEqual([false, false, false])
})

test('a login that was connected again gets a run that knows it: a queued one learns it, a running one does not', async () => {
  const { runs, begun, ends } = workshop()
  const connect = (connectedAt: number) => runs.start({ userId: 'u', trigger: 'connect', loginId: 'l', connectedAt, sole: false })
  const first = connect(100)
  await turn()
  expect(connect(100)).toMatchObject({ runId: first.runId, joined: true })
  const second = connect(200)
  const third = connect(300)
  expect([second.joined, third.joined, third.runId]).toEqual([false, true, second.runId])
  // An older one that arrives late does not take it back.
  expect(connect(250).runId).toBe(second.runId)
  ends[0]?.('well')
  await first.ended
  await turn()
  expect(begun.map(({ runId, connectedAt }) => [runId, connectedAt])).toEqual([[first.runId, 100], [second.runId, 300]])
  ends[1]?.('well')
  await third.ended
})

test('two runs never overlap: that of another user waits', async () => {
  const { runs, begun, ends } = workshop()
  runs.start({ userId: 'u', trigger: 'manual' })
  const other = runs.start({ userId: 'v', trigger: 'manual' })
  await turn()
  expect(begun.map(({ userId }) => userId)).toEqual(['u'])
  expect(runs.running('v')).toMatchObject({ runId: other.runId, overall: 0 })
  ends[0]?.('well')
  await turn()
  expect(begun.map(({ userId }) => userId)).toEqual(['u', 'v'])
})

test('a login that was just connected is not taken for part of a run that began before', async () => {
  const { runs, begun, ends } = workshop()
  runs.start({ userId: 'u', trigger: 'schedule' })
  const connected = runs.start({ userId: 'u', trigger: 'connect', loginId: 'l' })
  expect(connected.joined).toBe(false)
  await turn()
  ends[0]?.('well')
  await turn()
  expect(begun.map(({ loginId }) => loginId)).toEqual([undefined, 'l'])
})

test('Sync Trades right after connecting joins the first sync of that login', async () => {
  const { runs } = workshop()
  const connected = runs.start({ userId: 'u', trigger: 'connect', loginId: 'l', sole: true })
  await turn()
  expect(runs.start({ userId: 'u', trigger: 'manual' })).toMatchObject({ runId: connected.runId, joined: true })
  expect(runs.start({ userId: 'u', trigger: 'connect', loginId: 'm' }).joined).toBe(false)
})

test('the first sync of one login among several is not joined by others', async () => {
  const { runs } = workshop()
  runs.start({ userId: 'u', trigger: 'connect', loginId: 'l', sole: false })
  const daily = runs.start({ userId: 'u', trigger: 'daily' })
  expect(daily.joined).toBe(false)
  expect(runs.start({ userId: 'u', trigger: 'manual' })).toMatchObject({ runId: daily.runId, joined: true })
})

test('a run that the journal could not bear does not stop those behind it', async () => {
  const { runs, begun, ends, published } = workshop()
  const broken = runs.start({ userId: 'u', trigger: 'manual' })
  const next = runs.start({ userId: 'v', trigger: 'manual' })
  await turn()
  ends[0]?.('badly')
  await expect(broken.ended).rejects.toThrow('disk')
  expect(published).toEqual([['u', broken.runId, 'failed']])
  await turn()
  ends[1]?.('well')
  expect((await next.ended).runId).toBe(next.runId)
  expect(begun).toHaveLength(2)
  expect(runs.running('u')).toBeNull()
})

test('progress is published and remembered; at the end it is gone before the end is published', async () => {
  const { runs, ends, published, report } = workshop()
  const { runId, ended } = runs.start({ userId: 'u', trigger: 'manual' })
  await turn()
  report({ runId, phase: 'fills', done: 1, total: 3, overall: 0.4 })
  expect(runs.running('u')).toMatchObject({ phase: 'fills', overall: 0.4 })
  ends[0]?.('well')
  await ended
  expect(published).toEqual([['u', 'fills'], ['u', runId]])
  expect(runs.running('u')).toBeNull()
})
