// @module-tag slow
import { expect, test } from 'vitest'
import type { ImportWarning } from '#shared/imports/assembly.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { fillRow, importRows, pairRow } from '#tests/helpers/imports.ts'
import { monday, openStore, user, type TestStore } from '#tests/helpers/store.ts'
import { previewImport } from './preview-import.ts'

const outcomeOf = (store: TestStore, name: string, rows: readonly Reading[]) =>
  previewImport(store.writer, { ...user, isTooMuch: false, files: [{ place: 0, name, kind: 'fills', zone: 'America/New_York', accountGiven: null, seen: [{ id: null, name: 'A', rows: rows.length }], readings: [new TextEncoder().encode(JSON.stringify(rows))] }] }).outcome
const feesOf = (warnings: readonly ImportWarning[] | undefined) => warnings?.flatMap((warning) => (warning.code === 'commission-from-table' ? [[warning.fills, warning.of, warning.at.map(({ file }) => file)]] : []))
const inFile = <R extends Reading>(file: string, row: R, line: number): R => ({ ...row, file, line })

test('a preview warns of the fees of its own files’ fills, not of those that were imported before', async () => {
  const store = openStore()
  const old = [inFile('old.csv', fillRow('A', 1, 'buy', 1, 6750), 2), inFile('old.csv', fillRow('A', 2, 'sell', 1, 6751), 3)]
  expect(feesOf(outcomeOf(store, 'old.csv', old)?.warnings)).toEqual([[2, 2, ['old.csv', 'old.csv']]])
  await importRows(store, 'one', old)
  const fresh = [inFile('new.csv', pairRow('A', [11, 6750], [12, 6752], 1), 2)]
  expect(feesOf(outcomeOf(store, 'new.csv', fresh)?.warnings)).toEqual([[2, 1, ['new.csv']]])
  const again = outcomeOf(store, 'old.csv', old)
  expect([feesOf(again?.warnings), again?.known]).toEqual([[], true])
})

test('a preview leaves out warnings that earlier imports have too', async () => {
  const store = openStore()
  const unknown = (file: string, id: number, contract: string) => inFile(file, fillRow('A', id, 'buy', 1, 6750, { contract }), 2)
  await importRows(store, 'one', [unknown('old.csv', 1, 'QQQZ6')])
  const codes = (rows: readonly Reading[]) => outcomeOf(store, 'new.csv', rows)?.warnings.map((warning) => ('contracts' in warning ? [warning.code, ...warning.contracts] : [warning.code]))
  expect(codes([inFile('new.csv', fillRow('A', 2, 'buy', 1, 6750, { fee: null }), 2)])).toEqual([['commission-from-table']])
  expect(codes([unknown('new.csv', 3, 'XXYZ6')])).toContainEqual(['commission-unknown', 'XXYZ6'])
})

test('a preview warns of a file that was imported with day and month the other way round, until that import is undone', async () => {
  const store = openStore()
  const rowsOn = (month: number, day: number) => [1, 2].map((id) => fillRow('A', id, id === 1 ? 'buy' : 'sell', 1, 6750, { fillId: `ninjatrader-${String(month)}-${String(id)}`, tradeDate: null, time: Date.UTC(2026, month - 1, day, 15, id) - (month > 3 ? 3_600_000 : 0) }))
  await importRows(store, 'one', rowsOn(2, 6))
  const turned = () => outcomeOf(store, 'again.csv', rowsOn(6, 2))?.warnings.filter(({ code }) => code === 'dates-turned')
  expect(turned()).toEqual([{ code: 'dates-turned', account: 'A', rows: 2, files: ['again.csv', 'one.csv'] }])
  await store.write.undoImport({ ...user, importId: 'one', at: monday })
  expect(turned()).toEqual([])
})
