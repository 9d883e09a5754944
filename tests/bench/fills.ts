import type { Fill } from '#shared/fills/fill.ts'
import { seeded } from '../helpers/seeded.ts'

const accounts = ['tradovate:demo:700101', 'tradovate:demo:700102', 'tradovate:live:700201']
const contracts = ['MESM6', 'MNQM6', 'CLM6', 'GCM6']
const start = 1_772_400_000_000

/** Fills of three accounts in four contracts, ten seconds apart on average, the same for the same count. */
export const mixedFills = (count: number): readonly Fill[] => {
  const random = seeded(20_260_302)
  let time = start
  return parsed(count, (index) => {
    time += Math.floor(random() * 20_000)
    return {
      ...blank(index, time),
      account: accounts[Math.floor(random() * accounts.length)],
      contract: contracts[Math.floor(random() * contracts.length)],
      side: random() < 0.5 ? 'buy' : 'sell',
      qty: 1 + Math.floor(random() * 3),
      price: 27_000 + Math.floor(random() * 400),
      fee: random() < 0.9 ? 5200 + Math.floor(random() * 100) : null,
    }
  })
}

/** Opening fills of one contract each, then one fill that closes them all. */
export const manyClosedByOne = (count: number): readonly Fill[] =>
  parsed(count + 1, (index) => ({
    ...blank(index, start + index),
    price: 27_000 + (index % 40),
    ...(index === count ? { side: 'sell', qty: count, fee: 5200 * count } : {}),
  }))

/** One fill that opens everything, then fills of one contract each that close it. */
export const oneClosedByMany = (count: number): readonly Fill[] =>
  parsed(count + 1, (index) => ({
    ...blank(index, start + index),
    price: 27_000 + (index % 40),
    ...(index === 0 ? { qty: count, fee: 5200 * count } : { side: 'sell' }),
  }))

const blank = (index: number, time: number) => ({
  id: String(600_000_000_000 + index),
  account: accounts[0],
  contract: contracts[0],
  time,
  side: 'buy',
  qty: 1,
  price: 27_000,
  fee: 5200,
  active: true,
  source: 'api',
})

// Through JSON, so that the objects and their texts are what a reader of the broker's answers has in hand.
const parsed = (count: number, make: (index: number) => object): readonly Fill[] =>
  JSON.parse(JSON.stringify(Array.from({ length: count }, (_, index) => make(index)))) as readonly Fill[]
