import { expect, test } from 'vitest'
import type { Login } from '../../brokers/tradovate/login.ts'
import { rowsOfList } from '../../brokers/tradovate/live-messages.ts'
import { systemTiming } from '../../brokers/timing.ts'
import { createLineContracts, createLineReading } from './line-reading.ts'

const fill = { id: 9, orderId: 5, contractId: 77, timestamp: '2026-11-20T15:00:00Z', tradeDate: { year: 2026, month: 11, day: 20 }, action: 'Buy', qty: 1, price: 25_000, active: true, finallyPaired: 0 }
const rowsOfFill = () => rowsOfList('fill', [fill]) ?? expect.fail()

/** A line reader whose login fails every request, because renewed tokens cannot be saved. */
const start = () => {
  const asked: string[] = []
  const warned: string[] = []
  const login = {
    read: ({ path }: { readonly path: string }) => {
      asked.push(path)
      return Promise.reject(new Error('The tokens could not be saved'))
    },
  } as unknown as Login
  const contracts = createLineContracts(login, 'demo')
  const log = { debug: () => undefined, info: () => undefined, warn: (_: object, message: string) => void warned.push(message), error: () => undefined }
  const reading = createLineReading({ read: (path) => login.read({ environment: 'demo', path, query: {} }, AbortSignal.abort()), contracts, timing: systemTiming, signal: new AbortController().signal, emit: () => undefined, log })
  return { asked, warned, contracts, reading }
}

test('a failed request is logged, ends nothing, and is retried', async () => {
  const { asked, warned, contracts, reading } = start()
  const rows = rowsOfFill()
  reading.take(rows, 0, 'socket')
  await expect.poll(() => warned.length).toBe(2)
  expect(asked.sort()).toEqual(['/contract/items', '/order/item'])
  expect(contracts.unknownIn(rows.facts)).toEqual([77])
})
