/** @module-tag long */

import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'
import { testTiming } from '../helpers/test-timing.ts'

// Friday, 6 March 2026: Chicago is six hours behind UTC, so the lists are cleared at 23:00 UTC.
const friday = (time: string): number => Date.parse(`2026-03-06T${time}Z`)
const whole = ['tradovate:demo:700111', 'tradovate:live:700112']

/** Ben's two accounts, one on each side of the broker, connected on Friday at 09:00 in Chicago. */
const begin = async (): Promise<{ broker: TestBroker; it: SyncJournal; goTo: (time: string) => void; gaps: () => Promise<string[][]> }> => {
  const timing = testTiming(friday('15:00:00'))
  const broker = await startTestBroker({ anchor: '2026-03-06', wallNow: timing.now })
  onTestFinished(() => broker.stop())
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing })
  await it.connect('ben.keller')
  return {
    broker,
    it,
    goTo: (time) => timing.pass(friday(time) - timing.now()),
    gaps: async () => (await it.journal.read.syncGaps({ userId: it.userId, at: friday('23:00:00') })).map(({ accountId, from }) => [accountId, from.slice(11, 19)]).toSorted(),
  }
}
const all = (from: string): string[][] => whole.map((account) => [account, from])

test('a session counts as read up to the moment before its fills were requested, and as complete after a late read', async () => {
  const { it, goTo, gaps } = await begin()
  expect(await gaps()).toEqual(all('15:00:00'))
  goTo('18:30:00')
  await it.sync('schedule')
  expect(await gaps()).toEqual(all('18:30:00'))
  goTo('22:59:00')
  await it.sync('daily')
  expect(await gaps()).toEqual([])
})

test('a list that may have been cleared before the answer counts as a read of neither session', async () => {
  const { broker, it, goTo, gaps } = await begin()
  goTo('22:59:58')
  broker.faults.set([{ kind: 'penalty', seconds: 4, path: '/fill/list$', times: 2 }])
  expect((await it.sync('daily')).outcome).toBe('complete')
  expect(it.timing.now()).toBeGreaterThan(friday('23:00:00'))
  expect(await gaps()).toEqual(all('15:00:00'))
})

test('an environment that could not be read completely keeps its gap, the other has none', async () => {
  const { broker, it, goTo, gaps } = await begin()
  goTo('22:02:00')
  broker.faults.set([{ kind: 'html', path: '/demo/v1/order/' }])
  expect((await it.sync('daily')).outcome).toBe('partial')
  expect(await gaps()).toEqual([['tradovate:demo:700111', '15:00:00']])
  const accounts = await it.journal.read.connectedAccounts({ userId: it.userId })
  expect(accounts.map(({ environment, lastGoodAt }) => [environment, lastGoodAt !== null]).toSorted()).toEqual([['demo', false], ['live', true]])
})
