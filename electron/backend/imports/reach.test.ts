import { expect, test } from 'vitest'
import type { Reading } from '#shared/imports/reading.ts'
import { fillRow, importRows } from '#tests/helpers/imports.ts'
import { openStore } from '#tests/helpers/store.ts'

const roundTrip = (name: string): Reading[] => [fillRow(name, 1, 'buy', 1, 6750), fillRow(name, 2, 'sell', 1, 6751)]

test('accounts without a common contract whose figures files can change are settled one after another', async () => {
  let stood: number[] = []
  const store = openStore((name, database) => {
    if (name === 'group-committed') stood.push((database.prepare('SELECT count(DISTINCT account) AS accounts FROM fills').get() as { accounts: number }).accounts)
  })
  const [one, other] = [roundTrip('PA-7'), roundTrip('PA-8')]
  expect(await importRows(store, 'apart', [...one, ...other])).toMatchObject({ fills: { added: 4 }, pairs: { added: 2 } })
  expect(stood).toEqual([1, 2])
  stood = []
  // Nobody knows what a point of it is worth but the files.
  const unknown = (rows: readonly Reading[]) => rows.map((row) => ({ ...row, contract: 'ZZZQ9' }))
  await importRows(store, 'together', [...unknown(roundTrip('PA-9')), ...unknown(roundTrip('PA-10'))])
  expect(stood).toEqual([4])
})
