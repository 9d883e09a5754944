import { expect, test } from 'vitest'
import { readCompared, setAsideBy, withCompared } from './compare-address.ts'

test('a comparison survives the address, beside the filter', () => {
  for (const compared of [
    { kind: 'accounts', sides: ['tradovate:demo:1', 'Depot & Söhne'], align: 'number' },
    { kind: 'periods', sides: ['2026-10-01..2026-10-31', '2026-11-01..2026-11-30'], align: 'number' },
    { kind: 'tags', sides: ['A+', 'fomo'], align: 'date' },
    { kind: 'products', sides: [], align: 'date' },
  ] as const) {
    const params = withCompared(new URLSearchParams('from=2026-01-01&with=old&unit=pairs&align=date'), compared)
    expect(readCompared(new URLSearchParams(params.toString()))).toEqual(compared)
    expect([params.get('view'), params.get('from'), params.get('unit')]).toEqual(['compare', '2026-01-01', 'pairs'])
  }
})

test.each([
  ['', { kind: 'accounts', sides: [], align: 'date' }],
  ['compare=moods&with=a&align=up', { kind: 'accounts', sides: ['a'], align: 'date' }],
  ['compare=periods&with=MES&with=2026-11-30..2026-11-01&with=2026-02-30..2026-03-01&with=2026-11-01..2026-11-30', { kind: 'periods', sides: ['2026-11-01..2026-11-30'], align: 'number' }],
  ['compare=tags&with=&with=a&with=a&with=%00&with=b', { kind: 'tags', sides: ['a', 'b'], align: 'date' }],
  ['compare=products&with=a&with=b&with=c&with=d&with=e&with=f&with=g', { kind: 'products', sides: ['a', 'b', 'c', 'd', 'e', 'f'], align: 'date' }],
])('%j is read as far as it says something', (search, compared) => {
  expect(readCompared(new URLSearchParams(search))).toEqual(compared)
})

test('what the sides say is set aside of the filter, and only while they are compared', () => {
  expect(setAsideBy(new URLSearchParams('view=compare&compare=periods'))).toEqual(['from', 'to'])
  expect(setAsideBy(new URLSearchParams('view=compare'))).toEqual(['accounts'])
  expect(setAsideBy(new URLSearchParams('view=risk&compare=periods'))).toEqual([])
})
