import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { createRuns, startSyncThread, type Runs, type SyncThread } from '#backend/sync/service.ts'
import type { TokenKeeper } from '#backend/sync/token-keeper.ts'
import type { RenewalOutcome } from '#backend/brokers/tradovate/tokens.ts'
import { systemTiming } from '#backend/brokers/timing.ts'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import { testFolder } from '../helpers/app.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, strictLog, type SyncJournal } from '../helpers/sync-journal.ts'

const ava = 'ava.morgan'

type Setting = { broker: TestBroker; it: SyncJournal; thread: SyncThread; runs: Runs; reported: { progress: SyncProgress[]; ends: SyncReceipt[] } }

/** The product's own thread, on the computer's clock. */
const begin = async (): Promise<Setting> => {
  const broker = await startTestBroker({ anchor: '2026-03-06' })
  onTestFinished(() => broker.stop())
  const timing = { ...systemTiming, pauses: [], pass: () => undefined }
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing })
  const thread = startSyncThread({ journal: it.journal, keeper: it.keeper, log: strictLog, databases: testFolder() })
  onTestFinished(() => thread.stop())
  const reported: Setting['reported'] = { progress: [], ends: [] }
  const runs = createRuns({
    restored: () => Promise.resolve(),
    run: thread.run,
    newId: randomUUID,
    now: Date.now,
    events: { push: (_, event) => void (event.type === 'sync-progress' && reported.progress.push(event.progress)) },
    afterRun: (_, receipt) => reported.ends.push(receipt),
    log: strictLog,
  })
  return { broker, it, thread, runs, reported }
}

const asked = async (broker: TestBroker, path: RegExp): Promise<void> => {
  while (!broker.traffic.seen().some((request) => path.test(request.path))) await new Promise((resolve) => setImmediate(resolve))
}

test('a run in the thread reports its progress and its end; a second request joins it', async () => {
  const { it, runs, reported } = await begin()
  await it.connect(ava)
  const first = runs.start({ userId: it.userId, trigger: 'manual' })
  const second = runs.start({ userId: it.userId, trigger: 'manual' })
  expect([first.joined, second.joined]).toEqual([false, true])
  const receipt = await first.ended
  expect(await second.ended).toBe(receipt)
  expect(receipt).toMatchObject({ runId: first.runId, outcome: 'complete', accounts: 3 })
  expect(reported.ends).toEqual([receipt])
  expect(reported.progress.at(-1)).toEqual({ runId: first.runId, phase: 'done', done: 1, total: 1, overall: 1 })
  expect(await it.journal.read.receipts({ userId: it.userId, limit: 5 })).toEqual([receipt])
})

test('tokens renewed in the worker are saved by the main thread', { tags: 'long' }, async () => {
  const { broker, it, thread, runs } = await begin()
  broker.faults.set([{ kind: 'short-lived', seconds: 1, times: 1 }])
  const loginId = await it.connect(ava)
  const before = await it.store.get(loginId)
  await thread.keepAlive(it.userId)
  broker.sessions.killAccess(ava)
  expect((await runs.start({ userId: it.userId, trigger: 'manual' }).ended).outcome).toBe('complete')
  const after = await it.store.get(loginId)
  expect([before.kind, after.kind]).toEqual(['found', 'found'])
  expect(after).not.toEqual(before)
})

test('a stop ends a run that waits for the broker, and its receipt is saved', async () => {
  const { broker, it, thread, runs } = await begin()
  await it.connect(ava)
  broker.faults.set([{ kind: 'never-answers', path: '/fill/list$' }])
  const { ended } = runs.start({ userId: it.userId, trigger: 'manual' })
  await asked(broker, /cashBalance\/list$/)
  await thread.stop()
  const receipt = await ended
  expect(receipt.troubles.map(({ code }) => code)).toContain('stopped')
  expect(await it.journal.read.receipts({ userId: it.userId, limit: 1 })).toEqual([receipt])
  await expect(thread.keepAlive(it.userId)).rejects.toThrow('The thread ended')
})

test.each(['kept alive', 'synced'] as const)('a stop while a login that is %s gets new tokens saves them', { tags: 'long' }, async (how) => {
  const { it } = await begin()
  const swapped = Promise.withResolvers<RenewalOutcome>()
  const answered = Promise.withResolvers<undefined>()
  const refresh: TokenKeeper['refresh'] = async (login, token) => {
    const outcome = await it.keeper.refresh(login, token)
    swapped.resolve(outcome)
    await answered.promise
    return outcome
  }
  const thread = startSyncThread({ journal: it.journal, keeper: { ...it.keeper, refresh }, log: strictLog, databases: testFolder() })
  const loginId = await it.connect(ava)
  const kept = await it.store.get(loginId)
  if (kept.kind === 'found') await it.store.set(loginId, { ...kept.tokens, accessExpiresAt: 0 })
  const work = how === 'synced' ? thread.run({ runId: 'r', userId: it.userId, trigger: 'manual' }, () => undefined) : thread.keepAlive(it.userId)
  const workEnded = Promise.allSettled([work])
  const outcome = await swapped.promise
  const stopped = thread.stop()
  answered.resolve(undefined)
  await stopped
  await workEnded
  expect(await it.store.get(loginId)).toEqual({ kind: 'found', tokens: outcome.kind === 'renewed' ? outcome.tokens : null })
})

test('a reconnected login continues with its new tokens', { tags: 'long' }, async () => {
  const { broker, it, thread, runs } = await begin()
  const loginId = await it.connect(ava)
  await runs.start({ userId: it.userId, trigger: 'manual' }).ended
  broker.sessions.revoke(ava)
  expect(await it.connect(ava)).toBe(loginId)
  await thread.forget(loginId)
  const receipt = await runs.start({ userId: it.userId, trigger: 'connect', loginId }).ended
  expect(receipt).toMatchObject({ outcome: 'complete', trigger: 'connect', troubles: [] })
})
