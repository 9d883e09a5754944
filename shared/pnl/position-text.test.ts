import { expect, it } from 'vitest'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { matchBatch } from './match-batch.ts'
import { decodePosition, encodePosition } from './position-text.ts'
import { flat } from './position.ts'

const spec = contractSpecOf('MESM6')
const options = { account: 'tradovate:demo:1' as AccountKey, contract: 'MESM6', spec, date: '2026-03-02' }
const fill = (id: number, side: 'buy' | 'sell', qty: number, fee: number | null = null): Fill =>
  ({ id: String(id), account: options.account, contract: 'MESM6', time: id, side, qty, price: 27_000 + id, fee, active: true, source: 'api' }) as Fill

it('restores a position so that matching continues as if uninterrupted', () => {
  const { end } = matchBatch(options, flat, [fill(1, 'buy', 3, 1000), fill(2, 'buy', 2), fill(3, 'sell', 1)])
  const back = decodePosition(encodePosition(end), spec)
  const rest = [fill(4, 'sell', 3, 100), fill(5, 'sell', 4)]
  expect(matchBatch(options, back, rest).pairs).toEqual(matchBatch(options, end, rest).pairs)
  expect(matchBatch(options, back, rest).trades).toEqual(matchBatch(options, end, rest).trades)
})

it('is equal exactly if matching would continue identically', () => {
  const text = (fills: readonly Fill[]) => encodePosition(matchBatch(options, flat, fills).end)
  const history = Array.from({ length: 3000 }, (_, index) => fill(index + 1, index % 2 === 0 ? 'buy' : 'sell', 1))
  expect(text(history)).toBe(encodePosition(flat))
  const reordered = Object.fromEntries(Object.entries(fill(1, 'buy', 2)).reverse()) as Fill
  expect(text([reordered])).toBe(text([fill(1, 'buy', 2)]))
  expect(text([fill(1, 'buy', 2, 100)])).not.toBe(text([fill(1, 'buy', 2)]))
  expect(text([fill(1, 'buy', 2), fill(2, 'sell', 1)])).not.toBe(text([fill(1, 'buy', 1)]))
})

it('rejects any other text', () => {
  expect(() => decodePosition('{"net":0}', spec)).toThrow()
  expect(() => decodePosition('{"net":0.5,"used":0,"open":[],"trade":null}', spec)).toThrow()
})
