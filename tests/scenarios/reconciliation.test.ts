import { describe, expect, onTestFinished, test } from 'vitest'
import { closeReader, openReader } from '#backend/db/database.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { reconciledDayProof, reconciliation, type ReconciledDay } from '#shared/api/reconciliation.ts'
import type { FillReading, PairReading, Reading } from '#shared/imports/reading.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { writeExports } from '#tests/helpers/exports/exports.ts'
import { readFiles } from '#tests/helpers/exports/import-files.ts'
import { dollarProducts } from '#tests/helpers/exports/products.ts'
import { truthOf, type TruePair } from '#tests/helpers/exports/truth.ts'
import { drawWorld } from '#tests/helpers/exports/world.ts'
import { fillRow, importRows, money, pairRow } from '#tests/helpers/imports.ts'
import { account, day as dayLength, fill, monday, openEmptyStore, openStore, take, user, type TestStore } from '#tests/helpers/store.ts'

const zone = 'America/New_York'
const trueKey = (pair: TruePair): string => `file:${pair.account.name}`

const read = (store: TestStore, query: { from?: string; to?: string; accounts?: string[] } = {}) =>
  reconciliation.parse(JSON.parse(new TextDecoder().decode(store.read.reconciliationJson({ ...user, from: query.from ?? null, to: query.to ?? null, accounts: query.accounts ?? [] }))))
const proofOf = (store: TestStore, { account: key, tradingDay }: Pick<ReconciledDay, 'account' | 'tradingDay'>) => reconciledDayProof.parse(store.read.reconciledDay({ ...user, account: key, day: tradingDay }))
const notGreen = (store: TestStore) => read(store).days.filter(({ state }) => state !== 'equal').map(({ account: key, tradingDay, state, reason, difference }) => [key, tradingDay, reason ?? state, difference])

type Kinds = Parameters<typeof writeExports>[3]
const everything: Kinds = ['fills', 'position-history', 'cash-history', 'account-balance-history']

/** The trades of two traders of dollar products, flat overnight, in the broker's files. */
const exported = async (kinds: Kinds = everything) => {
  const world = drawWorld(8, { accounts: 2, products: dollarProducts, temper: 'calm', allFlat: true, sessions: 4 })
  const truth = truthOf(world)
  return { truth, readings: await readFiles(writeExports(drawOf(8), world, truth, kinds, { zone, cut: false }), zone) }
}
const imported = async (readings: readonly Reading[]): Promise<TestStore> => {
  const store = openEmptyStore(zone)
  await importRows(store, 'all', readings)
  return store
}
/** A fill pair of one session whose fills are in no other pair, so that an error in them affects nothing else. */
const lonePair = ({ pairs }: { readonly pairs: readonly TruePair[] }): TruePair => {
  const uses = new Map<string, number>()
  for (const { buy, sell } of pairs) for (const { id } of [buy, sell]) uses.set(id, (uses.get(id) ?? 0) + 1)
  const lone = pairs.filter(({ buy, sell, cents }) => cents !== 0n && buy.fees.length > 0 && buy.bookedOn === sell.bookedOn && uses.get(buy.id) === 1 && uses.get(sell.id) === 1)
  return lone[Math.floor(lone.length / 2)] as TruePair
}
const changeFill = (readings: readonly Reading[], fillId: string, change: (fill: FillReading) => FillReading): Reading[] =>
  readings.map((reading) => (reading.says === 'fill' && reading.fillId === fillId ? change(reading) : reading))

test('every day and fill pair of the broker reconciles with the journal, and each day opens to its proof', async () => {
  const { truth, readings } = await exported()
  const store = await imported(readings)
  const answer = read(store)
  const traded = new Set(truth.pairs.map((pair) => `${trueKey(pair)} ${pair.bookedOn}`))
  expect(notGreen(store)).toEqual([])
  expect(answer.days).toHaveLength(traded.size)
  expect(answer.all).toEqual({ days: traded.size, daysEqual: traded.size, daysDiffer: 0, daysUnchecked: 0, pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length })
  expect(answer.days.map(({ tradingDay }) => tradingDay)).toEqual(answer.days.map(({ tradingDay }) => tradingDay).sort().reverse())
  const cents = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0)
  expect(cents(answer.months.map(({ fillbook }) => fillbook.grossPnl))).toBe(Number(truth.pairs.reduce((sum, pair) => sum + pair.cents, 0n)))
  expect(answer.accounts).toMatchObject([{ fileOnly: true }, { fileOnly: true }])
  let [proven, charged] = [0, 0]
  for (const day of answer.days) {
    const { days, pairs, fees } = proofOf(store, day)
    expect(days).toEqual([day])
    expect(pairs.every(({ state, fillbook, broker }) => state === 'equal' && fillbook?.grossPnl === broker?.grossPnl)).toBe(true)
    expect(cents(pairs.flatMap(({ fillbook }) => fillbook?.grossPnl ?? []))).toBe(cents([day.fillbook.grossPnl]))
    proven += pairs.length
    charged += cents(fees.flatMap(({ broker }) => broker ?? []))
  }
  expect(proven).toBe(truth.pairs.length)
  // A position that was held over a night was charged for on two days.
  expect(charged).toBe(cents(answer.days.map(({ fillbook }) => fillbook.commission)))
})

test('from and to limit the days, and accounts filter them', async () => {
  const { readings } = await exported()
  const store = await imported(readings)
  const { days, accounts } = read(store)
  const middle = days[Math.floor(days.length / 2)] as ReconciledDay
  const one = read(store, { from: middle.tradingDay, to: middle.tradingDay, accounts: [middle.account] })
  expect(one.days).toEqual([middle])
  expect(one.all).toMatchObject({ days: 1, daysEqual: 1 })
  expect(one.accounts.map(({ account: key }) => key)).toEqual([middle.account])
  expect(one.all.pairsChecked).toBe(proofOf(store, middle).pairs.length)
  expect(read(store, { accounts: [accounts[0]?.account ?? ''] }).days.every(({ account: key }) => key === accounts[0]?.account)).toBe(true)
  expect(store.read.reconciledDay({ ...user, account: middle.account, day: '2001-01-01' })).toBeNull()
  expect(store.read.reconciledDay({ ...user, account: 'nobody', day: middle.tradingDay })).toBeNull()
})

test('a cached result of one journal state is never used for another, whatever changed it', async () => {
  const { truth, readings } = await exported()
  const store = await imported(readings)
  const reader = openReader(store.file)
  onTestFinished(() => {
    closeReader(reader)
  })
  const elsewhere = { ...store, read: readsOf(reader) }
  const pair = lonePair(truth)
  const opening = pair.closing === pair.buy ? pair.sell : pair.buy
  for (const view of [store, elsewhere]) expect(notGreen(view)).toEqual([])
  store.write.removeTrade({ ...user, at: monday, id: `${trueKey(pair)}/${opening.id}/${pair.closing.id}` })
  for (const view of [store, elsewhere]) expect(notGreen(view)).toHaveLength(1)
  await store.write.undoImport({ ...user, at: monday, importId: 'all' })
  for (const view of [store, elsewhere]) expect(read(view).days).toEqual([])
})

describe('an error marks only its day, which opens to exactly that error', () => {
  test('a fee', async () => {
    const { truth, readings } = await exported()
    const pair = lonePair(truth)
    const store = await imported(changeFill(readings, pair.closing.id, (fill) => ({ ...fill, fee: amountOf((fill.fee ?? 0) + 100) })))
    expect(notGreen(store)).toEqual([[trueKey(pair), pair.bookedOn, 'differs', '-0.01']])
    const { pairs, fees } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    expect(pairs.filter(({ state }) => state !== 'equal')).toEqual([])
    expect(fees.filter(({ difference }) => difference !== '0.00')).toMatchObject([{ contract: pair.product.contract, difference: '0.01' }])
    expect(fees[0]?.difference).toBe('0.01')
  })

  test('the price of a fill', async () => {
    const { truth, readings } = await exported()
    const pair = lonePair(truth)
    const store = await imported(changeFill(readings, pair.sell.id, (fill) => ({ ...fill, price: (fill.price + 1) as Ticks })))
    expect(notGreen(store).map(([key, tradingDay, state]) => [key, tradingDay, state])).toEqual([[trueKey(pair), pair.bookedOn, 'differs']])
    const { pairs, days } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    expect(pairs.filter(({ state }) => state !== 'equal').map(({ buyFillId, sellFillId }) => [buyFillId, sellFillId])).toEqual([[pair.buy.id, pair.sell.id]])
    expect(pairs[0]).toMatchObject({ by: 'fills', contract: pair.product.contract, difference: days[0]?.difference })
    expect(pairs[0]?.fillbook?.sellPrice).not.toBe(pair.sell.ticks)
    expect(read(store).all).toMatchObject({ pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length - 1 })
  })

  test('missing fills whose fill pair only the cash rows show', async () => {
    const { truth, readings } = await exported(['fills', 'cash-history', 'account-balance-history'])
    const pair = lonePair(truth)
    const store = await imported(readings.filter((reading) => reading.says !== 'fill' || (reading.fillId !== pair.buy.id && reading.fillId !== pair.sell.id)))
    expect(notGreen(store).map(([key, tradingDay]) => [key, tradingDay])).toEqual([[trueKey(pair), pair.bookedOn]])
    const { pairs } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    const red = pairs.filter(({ state }) => state === 'differs')
    expect(red).toMatchObject([{ by: 'time', fillbook: null, time: expect.stringContaining(new Date(pair.closing.time).toISOString().slice(0, 19)) as string }])
    expect(Math.round(Number(red[0]?.broker?.grossPnl) * 100)).toBe(Number(pair.cents))
  })

  test('a fill pair that the user removed', async () => {
    const { truth, readings } = await exported()
    const pair = lonePair(truth)
    const store = await imported(readings)
    const opening = pair.closing === pair.buy ? pair.sell : pair.buy
    expect(store.write.removeTrade({ ...user, at: monday, id: `${trueKey(pair)}/${opening.id}/${pair.closing.id}` })).toBe(true)
    expect(notGreen(store).map(([key, tradingDay, state]) => [key, tradingDay, state])).toEqual([[trueKey(pair), pair.bookedOn, 'differs']])
    const { pairs, days, fees } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    expect(days).toMatchObject([{ removed: 1, entered: 0 }])
    expect(pairs.filter(({ state }) => state === 'differs')).toMatchObject([{ buyFillId: pair.buy.id, sellFillId: pair.sell.id, fillbook: null, removed: { qty: pair.qty } }])
    const charged = [pair.buy, pair.sell].flatMap(({ fees: of }) => of).reduce((sum, [, cents]) => sum + cents, 0n)
    expect(Math.round(Number(fees.find(({ contract }) => contract === pair.product.contract)?.difference) * 100)).toBe(-Number(charged))
    expect(Math.round(Number(days[0]?.difference) * 100)).toBe(Number(charged - pair.cents))
    expect(charged).toBeGreaterThan(0n)
  })

  test('a second currency, with the balance of one', async () => {
    const { truth, readings } = await exported(['fills', 'account-balance-history'])
    const pair = lonePair(truth)
    const like = readings.find((reading): reading is FillReading => reading.says === 'fill' && reading.fillId === pair.buy.id) as FillReading
    const euros = (fillId: string, side: 'buy' | 'sell', price: number): FillReading => ({ ...like, fillId, orderId: fillId, side, contract: 'FDXMM6', tickSize: '1', price: price as Ticks, qty: 1, fee: amountOf(0) })
    const store = await imported([...readings, euros('7001', 'buy', 20_000), euros('7002', 'sell', 20_010)])
    const of = [trueKey(pair), pair.bookedOn, 'several-currencies', null]
    expect(notGreen(store).filter(([key]) => key === trueKey(pair))).toEqual([of, of])
    const { days } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    expect(days.map(({ currency, broker }) => [currency, broker.netPnl])).toEqual([['EUR', null], ['USD', null]])
  })

  test('a trade entered by hand beside the broker’s', async () => {
    const { truth, readings } = await exported()
    const pair = lonePair(truth)
    const store = await imported(readings)
    const time = new Date(pair.closing.time).toISOString()
    const entry = { id: 'hand-1', symbol: 'MESM6', accountId: trueKey(pair), account: '', qty: 1, entryPrice: 6000, exitPrice: 6001, entryTime: time, exitTime: time, commission: '0.00', platform: '' }
    expect(store.write.addTrade({ ...user, at: monday, trade: entry })).toMatchObject({ ok: true })
    expect(notGreen(store)).toEqual([[trueKey(pair), pair.bookedOn, 'differs', '5.00']])
    const { days, pairs } = proofOf(store, { account: trueKey(pair), tradingDay: pair.bookedOn })
    expect(days).toMatchObject([{ entered: 1, removed: 0 }])
    expect(pairs.filter(({ state }) => state !== 'equal')).toMatchObject([{ entered: true, fillbook: { grossPnl: '5.00' } }])
  })
})

describe('a day that cannot be checked says why', () => {
  const round = (id: number, feeText = '0.50') => [fill(id, 'buy', 1, 6750, { feeText }), fill(id + 1, 'sell', 1, 6751, { feeText })]

  test('an account known only from the API has no figures to reconcile with', async () => {
    const store = openStore()
    await take(store, ...round(1))
    expect(read(store).days).toMatchObject([{ account, tradingDay: '2026-01-05', state: 'unchecked', reason: 'no-broker-figures', difference: null, fillbook: { grossPnl: '5.00', commission: '1.00', netPnl: '4.00' } }])
    expect(proofOf(store, { account, tradingDay: '2026-01-05' }).pairs).toMatchObject([{ by: null, state: 'unchecked', broker: null }])
  })

  test("a session read before settlement is compared with the broker's realized P&L by then, without fees", async () => {
    const store = openStore()
    await take(store, ...round(1))
    const booked = { account, amount: money('5000'), currency: 'USD' as Currency, time: monday, tradeDate: '2026-01-05' }
    const dayWith = (realized: string | null) => {
      store.write.saveBalances({ ...user, at: monday, balances: [{ ...booked, realizedPnl: realized === null ? null : money(realized) }] })
      return read(store).days
    }
    expect(dayWith('5')).toMatchObject([{ tradingDay: '2026-01-05', state: 'unchecked', reason: 'not-settled', difference: null, broker: { grossPnl: '5.00', netPnl: null } }])
    expect(dayWith('7.5')).toMatchObject([{ state: 'unchecked', reason: 'not-settled', difference: '-2.50' }])
    expect(dayWith(null)).toMatchObject([{ reason: 'no-broker-figures', difference: null }])
    // The next session's row replaces it: realized P&L is reported only for the last session.
    store.write.saveBalances({ ...user, at: monday, balances: [{ ...booked, time: monday + dayLength, tradeDate: '2026-01-06', realizedPnl: money('3') }] })
    expect(read(store).days).toMatchObject([{ tradingDay: '2026-01-06', reason: 'not-settled', difference: '-3.00', fillbook: { netPnl: '0.00' } }, { tradingDay: '2026-01-05', reason: 'no-broker-figures' }])
  })

  test('the reports of a session win over its realized P&L while it ran', async () => {
    const { readings, truth } = await exported()
    const store = await imported(readings)
    const before = read(store).days
    const pair = lonePair(truth)
    store.write.saveBalances({ ...user, at: monday, balances: [{ account: trueKey(pair) as never, amount: money('1'), currency: 'USD' as Currency, time: Number.MAX_SAFE_INTEGER, tradeDate: pair.bookedOn, realizedPnl: money('1') }] })
    expect(read(store).days).toEqual(before)
  })

  test('trades of an account that only the user entered', () => {
    const store = openStore()
    const trade = { id: 'hand-1', symbol: 'MESM6', accountId: '', account: 'Notebook', qty: 1, entryPrice: 6000, exitPrice: 6001, entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:10:00Z', platform: '' }
    store.write.addTrade({ ...user, at: monday, trade })
    expect(read(store)).toMatchObject({ days: [{ account: 'Notebook', reason: 'entered-by-hand', entered: 1 }], accounts: [{ name: 'Notebook' }] })
    expect(proofOf(store, { account: 'Notebook', tradingDay: '2026-01-05' }).pairs).toMatchObject([{ entered: true }])
  })

  test('an overnight position is matched as the broker matches it', async () => {
    const store = openStore()
    const overnight = [fill(1, 'buy', 1, 6750, { feeText: '0.50' }), fill(2, 'sell', 1, 6751, { feeText: '0.50', time: monday + dayLength, tradeDate: '2026-01-06' })]
    await take(store, ...overnight)
    const pair: PairReading = pairRow('EVAL-101', [1, 6750], [2, 6751], 1, { tradeDate: '2026-01-06' })
    await importRows(store, 'balance', [pair, { says: 'balance', account: { id: null, name: 'EVAL-101' }, tradeDate: '2026-01-06', total: money('50000'), realized: money('4') }])
    expect(read(store)).toMatchObject({ days: [{ tradingDay: '2026-01-06', state: 'equal', difference: '0.00', fillbook: { netPnl: '4.00' } }], all: { pairsChecked: 1, pairsEqual: 1 } })
  })

  test('a contract without a known point value', async () => {
    const store = openStore()
    const strange = { contract: 'QQQZ9', tickSize: '0.25' }
    await importRows(store, 'one', [
      ...[fillRow('EVAL-101', 1, 'buy', 1, 10, { ...strange, fee: money('0') }), fillRow('EVAL-101', 2, 'sell', 1, 11, { ...strange, fee: money('0') })],
      { says: 'balance', account: { id: null, name: 'EVAL-101' }, tradeDate: '2026-01-05', total: money('50000'), realized: money('20') },
    ])
    expect(read(store).days).toMatchObject([{ state: 'unchecked', reason: 'unknown-contract', difference: '-19.00', broker: { netPnl: '20.00' } }])
  })
})

test("a holiday's session is the one that the broker books it on, in the journal and in its figures", async () => {
  const store = openStore()
  const later = { tradeDate: '2026-01-06' }
  await take(store, fill(1, 'buy', 1, 6750, { feeText: '0.50', ...later }), fill(2, 'sell', 1, 6751, { feeText: '0.50', ...later }))
  const pair: PairReading = pairRow('EVAL-101', [1, 6750], [2, 6751], 1, later)
  await importRows(store, 'two', [pair, { says: 'balance', account: { id: null, name: 'EVAL-101' }, tradeDate: '2026-01-06', total: money('50000'), realized: money('4') }])
  const page = { ...user, filter: everyTrade, offset: 0, limit: 10, sort: 'exitTime', direction: 'asc' } as const
  expect(store.read.pairPage(page).rows.map(({ date, tradingDay }) => [date, tradingDay])).toEqual([['2026-01-05', '2026-01-06']])
  expect(store.read.tradePage(page).rows.map(({ date, tradingDay }) => [date, tradingDay])).toEqual([['2026-01-05', '2026-01-06']])
  expect(read(store)).toMatchObject({ days: [{ tradingDay: '2026-01-06', state: 'equal' }], all: { days: 1, pairsChecked: 1, pairsEqual: 1 } })
})
