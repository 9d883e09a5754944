// @module-tag slow
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askTape, contract, pricesMigrations, second, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import type { NeededPrices } from './needed-prices.ts'
import { createPriceThread } from './price-thread.ts'
import { createPrices, type PrintSource } from './service.ts'

const spans = [{ from: tuesday, to: tuesday + 100 * second }]
const needed: readonly NeededPrices[] = [{ contract: 'MNQZ6', key: contract, tickSize, spans }]

/** The prices of a user whose trades need two minutes of one contract. */
const opened = () => {
  const [folder, changes, warnings]: [string, string[], unknown[]] = [temporaryFolder(), [], []]
  const read = { statedExcursions: () => Promise.reject(new Error('not asked')), chartTrade: () => Promise.reject(new Error('not asked')), chartLimitsOf: () => Promise.reject(new Error('not asked')), neededPrices: () => Promise.resolve(needed), fillPrices: () => Promise.reject(new Error('not asked')), pricedTrade: () => Promise.reject(new Error('not asked')) }
  const log = { debug: () => undefined, info: () => undefined, error: () => undefined, warn: (fields: object) => void warnings.push(fields) }
  const port = () => {
    throw new Error('No journal')
  }
  const prices = createPrices({ read, port, uploads: { find: () => null, drop: () => Promise.resolve() }, thread: createPriceThread({ folder, migrationsFolder: pricesMigrations }), changed: (userId) => void changes.push(userId), log, now: () => tuesday / 1000 })
  onTestFinished(prices.stop)
  return { prices, changes, warnings, file: join(folder, 'u1.db') }
}
/** Prints each second from the beginning of what is missing to its end. */
const source = (before: () => Promise<void> = () => Promise.resolve()): { readonly printsOf: PrintSource; readonly asked: (readonly NeededPrices[])[] } => {
  const asked: (readonly NeededPrices[])[] = []
  return {
    asked,
    async *printsOf(missing) {
      asked.push(missing)
      const at = Float64Array.from({ length: 101 }, (_, index) => tuesday + index * second)
      yield { key: contract, tickSize, at, price: Int32Array.from(at, () => 100_000), size: Int32Array.from(at, () => 1) }
      await before()
    },
  }
}

test('a source is asked for what trades need and is not stored, once', async () => {
  const { prices, changes } = opened()
  const { printsOf, asked } = source()
  await prices.fetch('u1', 'demo', printsOf)
  expect(asked).toEqual([needed])
  const stored = await prices.stored('u1')
  expect(stored.ok && stored.value.series).toMatchObject([{ contract: 'MNQZ6', source: 'demo', grain: 0, entries: 101 }])
  expect(changes).toEqual(['u1'])
  await prices.fetch('u1', 'demo', printsOf)
  expect(asked).toHaveLength(1)
})

test('many prices of a contract are known from one session to the next', { tags: 'long' }, async () => {
  const { prices, file } = opened()
  const halt = Date.UTC(2026, 9, 6, 21)
  const [ends, begins] = [(halt - 1000) * 1000, (halt + 3_600_000) * 1000]
  const many = 300_000
  async function* printsOf() {
    for (const first of [ends - many * 1000, begins, begins + many * 1000]) {
      const at = Float64Array.from({ length: many }, (_, index) => first + index * 1000)
      yield await Promise.resolve({ key: contract, tickSize, at, price: new Int32Array(many).fill(100_000), size: new Int32Array(many).fill(1) })
    }
  }
  await prices.fetch('u1', 'demo', printsOf)
  expect(askTape({ file, migrationsFolder: pricesMigrations }, (tape) => tape.coverage({ from: ends - 1000, to: begins + 1.5 * many * 1000 }))).toHaveLength(1)
})

test('prices that are deleted while more come stay deleted', async () => {
  const { prices, file } = opened()
  await prices.fetch('u1', 'demo', source(() => prices.forget('u1')).printsOf)
  expect(existsSync(file)).toBe(false)
})
