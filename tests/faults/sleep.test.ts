import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { syncRoutes, type SyncReceipt } from '#shared/api/sync.ts'
import { testFolder } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import { fault } from '../helpers/fault.ts'
import { journalRows, type JournalRows } from '../helpers/journal-rows.ts'
import { brokerSettings, connect, startBroker } from '../helpers/own-broker.ts'
import { runBare } from '../helpers/run-door.ts'
import { until } from '../helpers/until.ts'
import { words } from '../helpers/words.ts'

const login = 'ben.keller'
const stops = [1, 2, 3, 4]

/** What happens to a program while a run of it is under way. */
type Sleep = { readonly fallAsleep: () => void; readonly wake: () => void; readonly slept: () => Promise<void>; readonly broker: TestBroker }

// Longer than a second, which is how often the copier looks at what it holds, and than the pauses between tries.
const sleepMs = 2_500

/** Somebody else asks the brokerage meanwhile, and has the answer after so long: timers of whoever sleeps run out. */
const answered = async (broker: TestBroker): Promise<void> => {
  broker.faults.set([{ kind: 'slow', ms: sleepMs, path: '/v1/' }])
  const asked = performance.now()
  await (await fetch(`${broker.origins.demoApi}/account/list`)).text()
  expect(performance.now() - asked).toBeGreaterThan(sleepMs - 100)
}

/** Walks some stops with one sync each; returns the journal at the end, and the receipts. */
const walked = async (during: (sleep: Sleep) => Promise<void>): Promise<{ rows: JournalRows; receipts: SyncReceipt[] }> => {
  const { broker } = await startBroker()
  broker.clock.set(broker.walk[0]?.at ?? NaN)
  const dataDir = join(testFolder(), 'data')
  const door = runBare(dataDir, { env: brokerSettings(broker) })
  const browser = await openBrowser(/http:\/\/\S+/.exec((await door.line()) ?? '')?.[0] ?? '')
  const { userId } = await browser.signUp()
  const run = async (begin: () => Promise<unknown>): Promise<SyncReceipt> => {
    const events = await browser.events()
    await begin()
    const { receipt } = await events.next('sync-ended')
    events.close()
    return receipt
  }
  await run(() => connect(browser, userId, login))
  const receipts: SyncReceipt[] = []
  for (const stop of stops) {
    broker.clock.set(broker.walk[stop]?.at ?? NaN)
    receipts.push(await run(async () => {
      broker.traffic.clear()
      await browser.call(syncRoutes.syncNow)
      await during({ broker, fallAsleep: () => door.kill('SIGSTOP'), wake: () => door.kill('SIGCONT'), slept: () => answered(broker) })
    }))
    if (receipts.at(-1)?.outcome !== 'complete') expect(await run(() => browser.call(syncRoutes.syncNow))).toMatchObject({ outcome: 'complete' })
  }
  door.kill('SIGTERM')
  expect(await door.ended).toBe(0)
  return { rows: journalRows(join(dataDir, 'journal.db')), receipts }
}

test.skipIf(process.platform === 'win32')('a computer that falls asleep in the midst of a run, and wakes with a dead token and all its lines cut, has each fill once', { tags: ['long', 'nightly', 'fault'] }, async ({ task }) => {
  const count = fault(task, 'sleep')
  const whole = await walked(() => Promise.resolve())
  let asleep = 1
  const found = await walked(async ({ broker, fallAsleep, wake, slept }) => {
    broker.faults.set([{ kind: 'slow', ms: 100, path: '/v1/' }])
    // Each time a little later in the run.
    await until(() => (broker.traffic.seen().length >= asleep * 2 ? true : null), 'requests of the run')
    fallAsleep()
    asleep += 1
    broker.sessions.killAccess(login)
    broker.sockets.drop()
    await slept()
    broker.faults.clear()
    wake()
    count.tried()
  })
  for (const { outcome, troubles } of found.receipts) {
    if (outcome === 'complete') count.sees(words('sync', 'outcome.complete'))
    for (const { code } of troubles) count.sees(words('sync', `trouble.${code}`))
  }
  count.compare(found.rows, whole.rows)
  expect(found.rows).toEqual(whole.rows)
})
