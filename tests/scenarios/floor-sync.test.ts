import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { feePerContract } from '#demo-broker/contracts.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { brokerageAt } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'

const ACCOUNT = 700_101
const session = '2026-03-06'

/** A trader whose last session is half over, synced up to that moment. */
const begin = async (): Promise<{ broker: TestBroker; it: SyncJournal; middle: number; end: number }> => {
  const broker = await startTestBroker({ anchor: session })
  onTestFinished(() => broker.stop())
  const [middle = 0, end = 0] = broker.walk.slice(-2).map(({ at }) => at)
  broker.clock.set(middle)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker) })
  await it.connect('ava.morgan')
  await it.sync()
  return { broker, it, middle, end }
}

/** Buys or sells by hand; the order's id. */
const trade = (broker: TestBroker, action: 'Buy' | 'Sell', qty: number, price: number): number => {
  if (!broker.hand.setPrice('MNQH6', price)) throw new Error(`No price ${price}`)
  const placed = broker.hand.place({ account: ACCOUNT, action, symbol: 'MNQH6', qty })
  if (!('orderId' in placed)) throw new Error(placed.failureText)
  return placed.orderId
}

/** What the broker's own books say of the account's session, money in 1/10,000. */
const booked = async (broker: TestBroker) => {
  const { books, executions, now } = await broker.archive()
  const pairs = books.pairs.filter((pair) => pair.accountId === ACCOUNT && pair.session === session)
  return {
    fills: executions.filter((fill) => fill.accountId === ACCOUNT && fill.session === session && fill.time <= now).map(({ id, qty }) => `${id} ${qty}`).sort(),
    pairs: pairs.map(({ qty, gross, buy }) => `${qty} ${gross} ${gross - 2 * qty * feePerContract(buy.contract.product)}`).sort(),
  }
}

const kept = (it: SyncJournal) => {
  const { fills, fill_pairs: pairs } = it.rows()
  const ours = (rows: JournalRows[string] | undefined, column: string) => (rows ?? []).filter((row) => row[column] === `tradovate:demo:${ACCOUNT}`)
  return {
    fills: ours(fills, 'account').filter((row) => row['trade_date'] === session).map(({ id, qty }) => `${String(id)} ${String(qty)}`).sort(),
    pairs: ours(pairs, 'account_id').filter((row) => row['trading_day'] === session).map(({ qty, gross, net }) => `${String(qty)} ${String(gross)} ${String(net)}`).sort(),
  }
}

test('live trades reach the journal with the next sync: fills, trades and P&L as the broker has them', async () => {
  const { broker, it } = await begin()
  const before = kept(it)
  broker.faults.set([{ kind: 'partial-fills', pieces: 3, times: 1 }])
  trade(broker, 'Buy', 5, 24_900)
  trade(broker, 'Buy', 1, 24_910.25)
  trade(broker, 'Sell', 9, 24_905.5)
  trade(broker, 'Buy', 3, 24_902)
  const receipt = await it.sync()
  expect(receipt).toMatchObject({ outcome: 'complete', fills: { added: 6, refused: 0 } })
  expect(kept(it)).toEqual(await booked(broker))
  expect(kept(it).pairs.length - before.pairs.length).toBe(5)
})

test('later fills of the session are added, and busted ones are removed', async () => {
  const { broker, it, end } = await begin()
  trade(broker, 'Sell', 2, 24_900)
  const mistaken = trade(broker, 'Sell', 1, 24_880)
  trade(broker, 'Buy', 3, 24_890)
  await it.sync()
  expect(kept(it)).toEqual(await booked(broker))
  const { executions } = await broker.archive()
  broker.floor.bust(executions.find(({ orderId }) => orderId === mistaken)?.id ?? 0)
  trade(broker, 'Sell', 1, 24_895)
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(kept(it)).toEqual(await booked(broker))
  broker.clock.set(end)
  expect(await it.sync()).toMatchObject({ outcome: 'complete' })
  expect(kept(it)).toEqual(await booked(broker))
})
