// @module-tag slow
import { asc, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { fill, openStore, take } from '#tests/helpers/store.ts'
import { isAmong } from './among.ts'
import { eachCells, eachRow } from './database.ts'
import { fills } from './schema/journal.ts'

test('a query gives row by row what drizzle gives at once, also after a reading that was left, and of a union', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750, { feeText: '1.24' }), fill(2, 'sell', 1, 6751), fill(3, 'buy', 2, 6752))
  const { writer } = store
  const { id, active, fee, localDate } = fills
  const some = () => writer.orm.select({ id, active, fee, date: localDate, twice: sql<number>`${fills.qty} * 2` }).from(fills)
  for (const row of eachRow(writer, some())) {
    expect(row).toMatchObject({ id: '1', active: true, twice: 2 })
    break
  }
  expect([...eachRow(writer, some())]).toEqual(some().all())
  const both = unionAll(some(), some()).orderBy(asc(id))
  expect([...eachRow(writer, both)]).toEqual(both.all())
  expect([...eachCells(writer, some())]).toEqual(some().values())
})

test('a list of thousands is one parameter', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const ids = ['2', ...Array.from({ length: 40_000 }, (_, index) => `none ${String(index)}`)]
  expect(store.writer.orm.select({ id: fills.id }).from(fills).where(isAmong(fills.id, ids)).all()).toEqual([{ id: '2' }])
})
