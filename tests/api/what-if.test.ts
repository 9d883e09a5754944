import { expect, test } from 'vitest'
import { localRoutes } from '#shared/api/contract.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import type { Ticks } from '#shared/money/price.ts'
import { startApp } from '#tests/helpers/app.ts'
import { priceWriters } from '#tests/helpers/price-writers.ts'
import { uploadAll } from '#tests/helpers/upload.ts'

const { addTrade, importPrices, removeAllPrices, whatIf } = localRoutes
const day = Date.UTC(2026, 10, 24)
const clock = (hours: number, minutes: number, seconds: number): number => day + ((hours * 60 + minutes) * 60 + seconds) * 1000
const ticks = (value: number) => ({ in: 'ticks', value }) as const

test('other exits for the trades of a filter: each variant with its bounds, by tag, and the number of variants tried', async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const [entered, left] = [clock(14, 30, 10), clock(14, 35, 20)]
  const trade = { id: 'worked', symbol: 'ESZ6', account: 'A', side: 'long', qty: 2, entryPrice: 7000, exitPrice: 7004, entryTime: new Date(entered).toISOString(), exitTime: new Date(left).toISOString(), date: '2026-11-24', pnl: 392, commission: '8', stop: '6996', platform: 'other' } as const
  await browser.call(addTrade, { body: { userId, trade: { ...trade, tags: ['trend'] } } })
  const ask = (body: Partial<BodyGiven<typeof whatIf>> = {}) => browser.call(whatIf, { body: { filter: {}, rules: [{ stop: ticks(8) }], ...body } })
  // Without prices nothing was tried.
  expect(await ask()).toEqual({ priced: false, currency: null, trades: 0, leftOut: { addedLater: 0, otherCurrency: 0 }, heldFrom: null, variantsTried: 0, variants: [] })

  const at = (ms: number, price: number) => ({ at: ms * 1000, price: (price / 0.25) as Ticks, size: 1 })
  const prints = [at(clock(14, 0, 0), 7100), at(clock(14, 29, 0), 7000), at(entered, 7000), at(clock(14, 31, 0), 6997.5), at(clock(14, 33, 0), 7006.25), at(left, 7004), at(clock(14, 36, 0), 7003), at(clock(15, 0, 0), 6900)]
  const sent = await uploadAll(browser, { 'ES 12-26.Last.txt': priceWriters['ninjatrader-ticks'].write(prints) })
  await browser.call(importPrices, { body: { uploads: sent.map((one) => ({ ...one, choice: { zone: 'UTC', label: 'start' as const, scale: 0 } })), zone: 'UTC' } })
  await browser.call(addTrade, { body: { userId, trade: { ...trade, id: 'unpriced', symbol: 'NQZ6', entryPrice: 20_000, exitPrice: 20_001, stop: null } } })

  const both = (amount: string) => ({ least: amount, most: amount })
  const found = await ask({ rules: [{ stop: ticks(8) }, { target: { in: 'r', value: 100 } }, { stop: ticks(20), target: ticks(25) }] })
  expect(found).toMatchObject({ priced: true, currency: 'USD', trades: 2, leftOut: { addedLater: 0, otherCurrency: 0 }, heldFrom: null, variantsTried: 3 })
  const [stopped, byR, touched] = found.variants
  // 6,997.50 is the first price beyond 6,998; commissions stay.
  expect(stopped).toMatchObject({ all: { trades: 1, was: '392.00', would: both('-258.00'), gain: both('-650.00'), better: 0, worse: 1, same: 0, unclear: 0 }, notKnown: 1, noRisk: 0, verdict: 'too-little', tags: [{ tag: 'trend', trades: 1 }] })
  // 1 R are 16 ticks of each contract; the other trade has no stop.
  expect(byR).toMatchObject({ all: { trades: 1, gain: both('0.00'), same: 1 }, notKnown: 0, noRisk: 1 })
  // 7,006.25 touches the target: filled there, or left at 7,004.
  expect(touched).toMatchObject({ all: { would: { least: '392.00', most: '617.00' }, gain: { least: '0.00', most: '225.00' }, unclear: 1 } })

  expect((await ask({ slippage: 2, fee: '1.00' })).variants[0]?.all.would).toEqual(both('-304.00'))
  // The same again is no other variant; another filter is one.
  expect((await ask({ slippage: 2, fee: '1.00' })).variantsTried).toBe(4)
  expect(await ask({ filter: { side: 'short' } })).toMatchObject({ trades: 0, currency: null, variantsTried: 5 })
  await expect(ask({ rules: [{}] })).rejects.toThrow('invalid-request')
  await expect(ask({ fee: '99999999999999' })).rejects.toThrow('invalid-request')

  await browser.call(removeAllPrices)
  expect(await ask()).toMatchObject({ priced: false, variantsTried: 0 })
})
