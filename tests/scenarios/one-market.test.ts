import { expect, onTestFinished, test } from 'vitest'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import { feePerContract, priceOf } from '#demo-broker/contracts.ts'
import type { Execution } from '#demo-broker/world.ts'
import { assembleFiles } from '#shared/imports/assemble-files.ts'
import { deriveTrades } from '#shared/imports/derive-trades.ts'
import { startTestBroker } from '#tests/demo-broker/broker.ts'
import { volumeWorld } from '#tests/demo-broker/volume-world.ts'
import { ninjaTime } from '#tests/helpers/exports/clock.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'
import { csvText, dollarMoney, encoded } from '#tests/helpers/exports/table.ts'
import { startProjectx, type StandInContract } from '#tests/helpers/projectx-broker.ts'
import { brokerageAt } from '#tests/helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

const [anchor, seed] = ['2026-03-06', 20_260_306]
const size = { fills: 240, accounts: 1, contracts: 6 }
const zone = 'America/Chicago'

/** A fill pair, money in 1/10,000, its moments in whole seconds, as a platform may know them. */
type OnePair = { readonly contract: string; readonly side: 'long' | 'short'; readonly qty: number; readonly opened: number; readonly closed: number; readonly gross: number; readonly fees: number }
/** A trade from flat to flat, or what of an open one is closed; `closed` is its latest fill. */
type OneTrade = { readonly contract: string; readonly side: 'long' | 'short'; readonly opened: number; readonly closed: number; readonly net: number }
type Outcome = { readonly pairs: readonly OnePair[]; readonly trades: readonly OneTrade[]; readonly net: number }

const second = (time: number): number => Math.floor(time / 1000)
const outcomeOf = (pairs: readonly OnePair[], trades: readonly OneTrade[]): Outcome => {
  const sorted = <T>(rows: readonly T[]): T[] => rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  return { pairs: sorted(pairs), trades: sorted(trades), net: pairs.reduce((sum, { gross, fees }) => sum + gross - fees, 0) }
}

/** What the fills come to, first in, first out: by the market alone, with nothing of the product. */
const oracle = (executions: readonly Execution[]): Outcome => {
  const pairs: OnePair[] = []
  const trades: OneTrade[] = []
  for (const own of Map.groupBy(executions, ({ contract }) => contract.name).values()) {
    const lots: { fill: Execution; left: number }[] = []
    let trade: { opened: number; net: number; side: 'long' | 'short'; closes: boolean } | null = null
    const last = own.at(-1)
    for (const fill of own) {
      const { contract, action, time, qty, ticks } = fill
      const fee = feePerContract(contract.product)
      let left = qty
      for (let [first] = lots; first !== undefined && left > 0 && first.fill.action !== action; [first] = lots) {
        const closed = Math.min(left, first.left)
        const sign = first.fill.action === 'Buy' ? 1 : -1
        const gross = (ticks - first.fill.ticks) * sign * closed * contract.product.tickValue + 0
        const fees = 2 * closed * fee
        pairs.push({ contract: contract.name, side: sign > 0 ? 'long' : 'short', qty: closed, opened: second(first.fill.time), closed: second(time), gross, fees })
        if (trade !== null) [trade.net, trade.closes] = [trade.net + gross - fees, true]
        left -= closed
        first.left -= closed
        if (first.left === 0) lots.shift()
      }
      if (lots.length === 0 && trade !== null) {
        trades.push({ contract: contract.name, side: trade.side, opened: second(trade.opened), closed: second(time), net: trade.net })
        trade = null
      }
      if (left > 0) lots.push({ fill, left })
      if (lots.length > 0) trade ??= { opened: time, net: 0, side: action === 'Buy' ? 'long' : 'short', closes: false }
    }
    if (trade?.closes === true && last !== undefined) trades.push({ contract: last.contract.name, side: trade.side, opened: second(trade.opened), closed: second(last.time), net: trade.net })
  }
  return outcomeOf(pairs, trades)
}

/** What a journal has, by its rows. */
const ofJournal = (it: SyncJournal): Outcome => {
  const rows = it.rows()
  const side = (row: Record<string, unknown>): 'long' | 'short' => (row['side'] === 'long' ? 'long' : 'short')
  const opened = (row: Record<string, unknown>): number => second(Number(row['entry_time']))
  const closed = (row: Record<string, unknown>): number => second(Number(row['exit_time']))
  return outcomeOf(
    (rows['fill_pairs'] ?? []).map((row) => ({ contract: String(row['symbol']), side: side(row), qty: Number(row['qty']), opened: opened(row), closed: closed(row), gross: Number(row['gross']), fees: Number(row['commission']) })),
    (rows['trades'] ?? []).map((row) => ({ contract: String(row['symbol']), side: side(row), opened: opened(row), closed: closed(row), net: Number(row['net']) })),
  )
}

const byTradovate = async (): Promise<Outcome> => {
  const broker = await startTestBroker({ anchor, seed, scenario: { kind: 'volume', ...size } })
  onTestFinished(() => broker.stop())
  broker.clock.set(broker.walk.at(-1)?.at ?? NaN)
  const it = await openSyncJournal({ brokerage: brokerageAt(broker) })
  await it.connect('volume')
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: size.fills } })
  return ofJournal(it)
}

const byProjectx = async (executions: readonly Execution[]): Promise<Outcome> => {
  const timing = testTiming((executions.at(-1)?.time ?? NaN) + 3_600_000)
  const contracts = [...new Map(executions.map(({ contract: { name, product } }) => [name, { id: `CON.F.US.${name}`, name, tickSize: product.tickUnits / product.tickScale, tickCents: product.tickValue / 100 }])).values()]
  const broker = await startProjectx({ now: timing.now, contracts, unlimited: true })
  broker.addAccount({ id: 900_101, name: 'COMBINE-900101' })
  for (const { contract, time, action, qty, ticks } of executions) {
    const traded = contracts.find(({ name }) => name === contract.name) as StandInContract
    broker.trade({ account: 900_101, contract: traded, at: time, ticks, side: action === 'Buy' ? 'buy' : 'sell', size: qty, fees: qty * feePerContract(contract.product) })
  }
  const nowhere = 'http://127.0.0.1:9'
  const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
  const it = await openSyncJournal({ brokerage: tradovate, timing, firms: { topstepx: { name: 'TopstepX', api: broker.url, hub: null } } })
  await it.connections.connectKey(it.userId, { firm: 'topstepx', ...broker.key })
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: size.fills } })
  return ofJournal(it)
}

/** NinjaTrader's grid of executions, which knows whole seconds and whole cents. */
const byNinjaTrader = async (executions: readonly Execution[]): Promise<Outcome> => {
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
  const held = new Map<string, number>()
  const rows = executions.map(({ id, orderId, contract: { name, month, product }, action, qty, ticks, time }) => {
    const before = held.get(name) ?? 0
    const after = before + (action === 'Buy' ? qty : -qty)
    held.set(name, after)
    return [`${product.name} ${months[(month % 100) - 1] ?? ''}${String(Math.floor(month / 100) % 100)}`, action, String(qty), String(Number(priceOf(product, ticks).toFixed(9))), ninjaTime(zone, time, 'am-pm'), String(id), Math.abs(after) > Math.abs(before) ? 'Entry' : 'Exit', after === 0 ? '-' : `${String(Math.abs(after))} ${after > 0 ? 'L' : 'S'}`, String(orderId), 'Market', dollarMoney(BigInt((qty * feePerContract(product)) / 100)), '1', 'Sim1', 'Ninja', '']
  })
  const file = await readBytes(encoded(csvText({ header: ['Instrument', 'Action', 'Quantity', 'Price', 'Time', 'ID', 'E/X', 'Position', 'Order ID', 'Name', 'Commission', 'Rate', 'Account', 'Connection', ''], rows })), zone)
  if (!file.ok) throw new Error(JSON.stringify(file.problem))
  expect(file.refused).toEqual([])
  const { assembly } = assembleFiles([{ name: 'Grid.csv', kind: file.kind, zone, accountGiven: null, readings: [...file.readings, ...file.missing] }])
  const { pairs, trades } = deriveTrades(assembly, zone)
  return outcomeOf(
    pairs.map(({ opening, closing, qty, grossPnl, commission }) => ({ contract: opening.contract, side: opening.side === 'buy' ? 'long' : 'short', qty, opened: second(opening.time), closed: second(closing.time), gross: grossPnl, fees: commission })),
    trades.map(({ contract, direction, entryTime, exitTime, netPnl }) => ({ contract, side: direction, opened: second(entryTime), closed: second(exitTime), net: netPnl })),
  )
}

test('one market gives the same trades and net P&L through Tradovate, TopstepX, and a NinjaTrader file', { timeout: 60_000 }, async () => {
  const { executions } = volumeWorld(seed, anchor, size)
  const expected = oracle(executions)
  expect(expected.pairs.length).toBeGreaterThan(150)
  expect(expected.trades.length).toBeGreaterThan(30)
  expect(await byTradovate()).toEqual(expected)
  expect(await byProjectx(executions)).toEqual(expected)
  expect(await byNinjaTrader(executions)).toEqual(expected)
})
