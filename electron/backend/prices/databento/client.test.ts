// @module-tag slow
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDatabento } from '#tests/helpers/databento.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createDatabento } from './client.ts'

const never = new AbortController().signal
const from = Date.UTC(2026, 1, 27, 15) * 1000
const ask = { symbol: 'NQH6', detail: 'ohlcv-1s', from, to: from + 600_000_000 } as const

const stage = async (key?: string, silence?: number) => {
  const standIn = await startDatabento(() => 24_000)
  const timing = testTiming()
  return { standIn, timing, path: join(temporaryFolder(), 'one.csv'), client: createDatabento({ base: standIn.url, key: key ?? standIn.key, timing, ...(silence === undefined ? {} : { silence }) }) }
}

test('the cost is asked of the same prices that are then fetched, and is rounded up', async () => {
  const { client, standIn, path } = await stage()
  standIn.perMinute = 0.0100001
  expect(await client.cost(ask, never)).toEqual({ ok: true, value: 1001 })
  expect(standIn.charged()).toBe(0)
  expect(await client.download(ask, path, never)).toEqual({ ok: true, value: null })
  const [cost, range] = standIn.asked
  expect(cost).toMatchObject({ call: 'cost', symbol: 'NQH6', schema: 'ohlcv-1s', from: from / 1000, to: from / 1000 + 600_000 })
  expect(range).toMatchObject({ ...cost, call: 'range', fields: { encoding: 'csv', map_symbols: 'false' } })
  expect(readFileSync(path, 'utf8').split('\n')[0]).toBe('ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume')
})

test.each([
  [401, { kind: 'key-refused' }],
  [402, { kind: 'payment-needed' }],
  [403, { kind: 'no-permission' }],
  [404, { kind: 'unknown-symbol' }],
  [{ status: 404, case: 'symbology_invalid_symbol' }, { kind: 'unknown-symbol' }],
  [{ status: 422, case: 'symbology_invalid_request' }, { kind: 'unknown-symbol' }],
  [{ status: 422, case: 'data_end_after_available_end' }, { kind: 'not-available' }],
  [{ status: 422, case: 'data_start_after_available_end' }, { kind: 'not-available' }],
  [{ status: 422, case: 'dataset_unavailable_range' }, { kind: 'not-available' }],
  [422, { kind: 'refused' }],
  [429, { kind: 'rate-limited', waitMs: 7_000 }],
  [400, { kind: 'refused' }],
  [500, { kind: 'unreachable' }],
  ['cut', { kind: 'unreachable' }],
  ['short', { kind: 'unreachable' }],
] as const)('an answer of %j is %j and leaves no file, and a paid request is not repeated', async (fault, failure) => {
  const { client, standIn, path } = await stage()
  standIn.fault = () => fault
  expect(await client.download(ask, path, never)).toEqual({ ok: false, error: failure })
  expect(existsSync(path)).toBe(false)
  expect(standIn.asked).toHaveLength(1)
  if (typeof fault !== 'string') expect(await client.cost(ask, never)).toEqual({ ok: false, error: failure })
})

test('a key that is wrong is refused', async () => {
  const { client } = await stage('db-another')
  expect(await client.cost(ask, never)).toEqual({ ok: false, error: { kind: 'key-refused' } })
})

test('a slow answer is waited for, a dead one is given up, and so is one that its user stops', async () => {
  const { client, standIn, path } = await stage(undefined, 150)
  standIn.fault = () => 'silence'
  expect(await client.download(ask, path, never)).toEqual({ ok: false, error: { kind: 'unreachable' } })
  const stopping = new AbortController()
  setTimeout(() => { stopping.abort() }, 50)
  expect(await client.download(ask, path, stopping.signal)).toEqual({ ok: false, error: { kind: 'aborted' } })
  expect(existsSync(path)).toBe(false)
  const patient = createDatabento({ base: standIn.url, key: standIn.key, timing: testTiming(), silence: 5_000 })
  standIn.fault = () => 'slow'
  expect(await patient.download(ask, path, never)).toEqual({ ok: true, value: null })
})

test('nobody there is unreachable, after the cost was asked three times', async () => {
  const timing = testTiming()
  const client = createDatabento({ base: 'http://127.0.0.1:9/v0', key: 'db-key', timing })
  expect(await client.cost(ask, never)).toEqual({ ok: false, error: { kind: 'unreachable' } })
  expect(timing.pauses).toEqual([1_000, 2_000])
  expect(await client.download(ask, join(temporaryFolder(), 'x.csv'), never)).toEqual({ ok: false, error: { kind: 'unreachable' } })
})
