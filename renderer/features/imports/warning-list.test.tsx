import { createFormat } from '#renderer/lib/format.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import type { ImportWarningShown } from '#shared/api/imports.ts'
import { draw } from '#tests/helpers/drawn.tsx'
import { expect, test } from 'vitest'
import { WarningList } from './warning-list.tsx'

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ file: 'a.csv', line: at + 2 }))

test.each<[string, ImportWarningShown, string | null]>([
  ['estimated fees', { code: 'commission-from-table', fills: 439, at: rows(20), of: 220 }, 'and 210 more'],
  ['estimated fees of few fills', { code: 'commission-from-table', fills: 12, at: rows(6), of: 6 }, null],
  ['local times', { code: 'zone-mismatch', rows: 31, at: rows(20), shift: null }, 'and 21 more'],
  ['fees of which each has two rows', { code: 'fees-differ', rows: 9, at: rows(18), of: 18 }, 'and 8 more'],
])('a list of rows that is cut says how many more there are: %s', async (_, warning, more) => {
  const { getByRole } = await draw(<FormatContext value={createFormat('en', 'UTC')}><WarningList warnings={[warning]} /></FormatContext>, { namespaces: ['import'] })
  const words = getByRole('listitem').textContent
  expect(words).toContain('a.csv')
  if (more === null) expect(words).not.toContain('more')
  else expect(words).toContain(more)
})

test.each<[string, ImportWarningShown, readonly string[]]>([
  ['files that are apart', { code: 'files-apart', account: 'Mine', rows: 1_204, files: ['a.csv', 'b.csv'] }, ['a.csv, b.csv', 'Mine', '1,204', 'count twice', 'not checked']],
  ['dates the other way round', { code: 'dates-turned', account: 'Mine', rows: 1, files: ['a.csv'] }, ['Mine', 'a row twice', 'a.csv', 'counts twice']],
])('trades that may count twice are named with account and files: %s', async (_, warning, expected) => {
  const { getByRole } = await draw(<FormatContext value={createFormat('en', 'UTC')}><WarningList warnings={[warning]} /></FormatContext>, { namespaces: ['import'] })
  for (const text of expected) expect(getByRole('listitem').textContent).toContain(text)
})
