// @module-tag slow
import { expect, test } from 'vitest'
import { oddsFields } from './odds-panel.tsx'

const { runs: runsField, seed: seedField } = oddsFields.shape
const readOddsInput = ({ runs, seed }: { readonly runs: string; readonly seed: string }) => ({ runs: runsField.safeParse(runs).data ?? null, seed: seedField.safeParse(seed).data ?? null })

test('runs and seed are whole numbers within their bounds, written as people write them', () => {
  expect(readOddsInput({ runs: '10,000', seed: ' 7 ' })).toEqual({ runs: 10_000, seed: 7 })
  expect(readOddsInput({ runs: '100', seed: '0' })).toEqual({ runs: 100, seed: 0 })
  expect(readOddsInput({ runs: '100000', seed: '4294967295' })).toEqual({ runs: 100_000, seed: 4_294_967_295 })
})
test('an invalid value is reported alone', () => {
  for (const runs of ['', '99', '1000,5', '100001', '1e4', '-500', '500.5', 'many']) expect(readOddsInput({ runs, seed: '1' }), runs).toEqual({ runs: null, seed: 1 })
  for (const seed of ['', '-1', '4294967296', '0.5']) expect(readOddsInput({ runs: '100', seed }), seed).toEqual({ runs: 100, seed: null })
})
