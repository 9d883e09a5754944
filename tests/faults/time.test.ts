import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { fault } from '#tests/helpers/fault.ts'
import type { JournalRows } from '#tests/helpers/journal-rows.ts'
import { brokerageAt } from '#tests/helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { words } from '#tests/helpers/words.ts'

const login = 'ava.morgan'
const hour = 3_600_000
const day = 24 * hour

/** A stand-in at the beginning of its story, and a journal that is connected to it. */
const connected = async (anchor: string): Promise<{ broker: TestBroker; it: SyncJournal }> => {
  const broker = await startTestBroker({ anchor })
  onTestFinished(() => broker.stop())
  broker.clock.set(broker.walk[0]?.at ?? NaN)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing: testTiming(Date.now()) })
  await it.connect(login)
  return { broker, it }
}

/** All that a journal holds but its balances: those say when they were read. */
const rowsOf = (it: SyncJournal): JournalRows => ({ ...it.rows(), accounts: [] })

test('a clock that jumps ahead and back between runs loses nothing and doubles nothing', { tags: ['long', 'nightly', 'fault'] }, async ({ task }) => {
  const count = fault(task, 'clock-jumps')
  // The last runs are made before anything happened, by that clock.
  const jumps = [day, -3 * day, 365 * day, -hour, -730 * day, 2 * hour]
  const [jumping, steady] = [await connected('2026-03-06'), await connected('2026-03-06')]
  for (const [index, by] of jumps.entries()) {
    for (const { broker } of [jumping, steady]) broker.clock.set(broker.walk[index]?.at ?? NaN)
    jumping.it.timing.pass(by)
    // Where its token looks dead, or lives on only by the clock, the broker has the last word.
    if (by < 0) jumping.broker.sessions.killAccess(login)
    const receipt = await jumping.it.sync()
    await steady.it.sync()
    count.tried()
    count.sees(words('sync', `outcome.${receipt.outcome}`))
    expect(receipt).toMatchObject({ outcome: 'complete', troubles: [] })
  }
  const [found, expected] = [rowsOf(jumping.it), rowsOf(steady.it)]
  count.compare(found, expected)
  expect(found).toEqual(expected)
  expect(found['fills']?.length).toBeGreaterThan(100)
})

test('a pause requested by the broker ends if the clock is set back: it was computed with the wrong clock', { tags: ['long', 'nightly', 'fault'] }, async ({ task }) => {
  const count = fault(task, 'clock-jumps')
  const [{ broker, it }, steady] = [await connected('2026-03-06'), await connected('2026-03-06')]
  broker.faults.set([{ kind: 'rate-limited', path: '/fill/list$' }])
  expect((await it.sync('schedule')).troubles).toMatchObject([{ code: 'rate-limited' }])
  broker.faults.clear()
  count.sees(words('sync', 'trouble.rate-limited'))
  it.timing.pass(-365 * day)
  expect(await it.sync('schedule')).toMatchObject({ outcome: 'complete', troubles: [] })
  count.tried()
  await steady.it.sync()
  const [found, expected] = [rowsOf(it), rowsOf(steady.it)]
  count.compare(found, expected)
  expect(found).toEqual(expected)
})

test.for([['2026-03-11', 'summer'], ['2026-11-04', 'winter']] as const)('a story over the weekend in which clocks are set for another time of the year (%s, %s) has every fill once, on the day that the broker books it', { tags: ['long', 'nightly', 'fault'] }, async ([anchor], { task }) => {
  const count = fault(task, 'daylight-saving')
  const { broker, it } = await connected(anchor)
  for (const { at } of broker.walk) {
    broker.clock.set(at)
    const receipt = await it.sync()
    count.sees(words('sync', `outcome.${receipt.outcome}`))
    expect(receipt.outcome).toBe('complete')
  }
  count.tried()
  const accounts = new Map(broker.logins.find(({ name }) => name === login)?.accounts.map(({ id, environment }) => [id, `tradovate:${environment}:${String(id)}`]))
  const { executions, now } = await broker.archive()
  const began = broker.walk[0]?.session ?? ''
  const expected = executions
    .filter(({ accountId, session, time }) => accounts.has(accountId) && session >= began && time <= now)
    .map(({ id, accountId, time, session }) => ({ account: accounts.get(accountId), id: String(id), time, trade_date: session }))
  const byId = (rows: readonly { readonly id?: unknown }[]): unknown[] => rows.toSorted((one, other) => Number(one.id) - Number(other.id))
  const found = (it.rows()['fills'] ?? []).map(({ account, id, time, trade_date }) => ({ account, id, time, trade_date }))
  count.compare(found, expected)
  expect(byId(found)).toEqual(byId(expected))
  expect(new Set(found.map(({ trade_date }) => trade_date)).size).toBeGreaterThan(5)
})
