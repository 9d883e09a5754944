import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AccountKey } from '#shared/fills/fill.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { createNinjatrader } from '#tests/helpers/ninjatrader-database.ts'
import type { PartAsk } from '../port.ts'
import { ninjatraderLogin } from './part.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Noon of a Monday in New York. */
const monday = Date.UTC(2026, 2, 2, 17)

test('a full run reads a long past in stretches that follow each other', async () => {
  const folder = temporaryFolder()
  const database = createNinjatrader(join(folder, 'NinjaTrader.sqlite'))
  onTestFinished(database.close)
  // One trade in each of 60 weeks; that of each tenth is held over several stretches.
  for (let week = 60; week >= 1; week -= 1) database.execute({ account: 'A', at: monday - week * 7 * day, side: week % 20 < 10 ? 'sell' : 'buy', qty: 1, price: 21_000, commission: 0.39 })
  const login = ninjatraderLogin({ file: database.file, folder: join(folder, 'copies'), connectedAt: monday })
  onTestFinished(login.close)
  const asked: number[] = []
  const count = (_: unknown, ids: readonly string[]) => { asked.push(ids.length); return Promise.resolve([]) }
  const known: PartAsk['known'] = { accounts: () => Promise.resolve([]), accountsOfOtherSide: () => Promise.resolve([]), namesElsewhere: () => Promise.resolve([]), fills: count, twins: count, contracts: () => Promise.resolve([]), readFees: () => Promise.resolve([]) }
  const ask: PartAsk = { environment: 'live', trigger: 'manual', now: () => monday, signal: new AbortController().signal, known, progress: () => undefined, fillsFetched: () => undefined, leaveOut: () => undefined, failed: () => undefined }
  expect(await login.prepare()).toBe(null)
  const account = 'ninjatrader:live:A' as AccountKey
  const session = await login.part(ask).session([account])
  if (!session.ok) throw new Error('It is read')
  expect(session.value.fills.map(({ id }) => id).sort()).toEqual(Array.from({ length: 60 }, (_, index) => `x-${String(index + 1)}`).sort())
  expect(Math.max(...asked)).toBeLessThanOrEqual(5)
  const spans = (session.value.positions ?? []).toSorted((one, other) => one.from - other.from)
  expect(spans.length).toBeGreaterThan(10)
  expect(spans[0]?.from).toBe(0)
  for (const [index, { to }] of spans.entries()) if (index < spans.length - 1) expect(spans[index + 1]?.from).toBe(to + 1)
})
