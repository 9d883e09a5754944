import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Amount } from '#shared/money/money.ts'
import { pricesMigrations } from '#tests/helpers/price-tapes.ts'
import type { ExcursionFigure } from '#shared/stats/filter.ts'
import { temporaryFolder } from '#tests/helpers/store.ts'
import { openDatabase, writerOf, type Reader } from '../../db/database.ts'
import { allKeptExcursions, excursionsIn, hasKeptExcursions, idsByExcursion, idsWithExcursions, keptExcursions, pricesFolder } from './stored-excursions.ts'
import { saveExcursions } from '../save-excursions.ts'
import { priceFileOf, writingPrices, type PricePaths } from './price-file.ts'

const units = (amount: number | null): Amount | null => (amount === null ? null : ((amount * 10_000) as Amount))
const row = (id: string, [maeLeast, maeMost]: readonly [number, number | null], [exitLeast, exitMost]: readonly [number | null, number | null] = [null, null]) => ({
  id, trade: id, ended: 1, stamp: id, mfeLeast: units(10) as Amount, mfeMost: units(10), maeLeast: units(maeLeast) as Amount, maeMost: units(maeMost),
  entryLeast: null, entryMost: null, exitLeast, exitMost,
})

/** A journal, and the prices of its user beside it. */
const beside = (): { readonly journal: Reader; readonly paths: PricePaths } => {
  const folder = temporaryFolder()
  const database = openDatabase(join(folder, 'journal.db'))
  onTestFinished(() => void database.close())
  return { journal: writerOf(database), paths: { file: priceFileOf(pricesFolder(folder), 'u1'), migrationsFolder: pricesMigrations } }
}

test('a condition on an excursion takes what surely meets it, and an order begins with the lower ends', () => {
  const { journal, paths } = beside()
  writingPrices(paths, (writer) => { saveExcursions(writer, { put: [row('range', [40, 55], [6_000, 6_200]), row('open', [30, null], [null, null]), row('exact', [50, 50], [0, 0])], gone: [] }) })
  const ids = (from: number | null, to: number | null, figure: ExcursionFigure = 'mae') => [...idsWithExcursions(journal, 'u1', [{ figure, from: from?.toString() ?? null, to: to?.toString() ?? null }])].sort()
  expect([ids(40, null), ids(40.01, null), ids(null, 55), ids(null, 54.99), ids(50, 50), ids(null, null)]).toEqual([['exact', 'range'], ['exact'], ['exact', 'range'], ['exact'], ['exact'], ['exact', 'open', 'range']])
  expect([ids(60, null, 'exitEfficiency'), ids(60.01, null, 'exitEfficiency'), ids(null, 62, 'exitEfficiency'), ids(null, 61.99, 'exitEfficiency')]).toEqual([['range'], [], ['exact', 'range'], ['exact']])
  expect([idsByExcursion(journal, 'u1', 'mae'), idsByExcursion(journal, 'u1', 'exitEfficiency')]).toEqual([['open', 'range', 'exact'], ['exact', 'range']])
  expect([...keptExcursions(journal, 'u1', ['open', 'nobody']).keys()]).toEqual(['open'])
  expect(excursionsIn(allKeptExcursions(journal, 'u1').get('range'))).toEqual({ excursions: { mae: { least: '40.00', most: '55.00' }, mfe: { least: '10.00', most: '10.00' }, entryEfficiency: { least: null, most: null }, exitEfficiency: { least: '0.6000', most: '0.6200' } } })
  expect(hasKeptExcursions(journal, 'u2')).toBe(false)
})

test('without prices, with a damaged file, or one of an older program, nothing is known and lists go on', () => {
  const { journal, paths } = beside()
  const nothing = () => [hasKeptExcursions(journal, 'u1'), allKeptExcursions(journal, 'u1').size, idsWithExcursions(journal, 'u1', []).length, idsByExcursion(journal, 'u1', 'mfe').length]
  expect(nothing()).toEqual([false, 0, 0, 0])
  writingPrices(paths, (writer) => writer.database.exec('DROP TABLE excursions'))
  expect(nothing()).toEqual([false, 0, 0, 0])
  writeFileSync(paths.file, 'x'.repeat(8_192))
  expect(nothing()).toEqual([false, 0, 0, 0])
})
