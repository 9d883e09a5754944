import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { button, signUp, test } from '../e2e/app-test.ts'
import { postApi, readApi } from '../e2e/broker-test.ts'
import { importFiles } from '../e2e/import-files.ts'
import { open, picture } from './picture.ts'

test('notes whose trades are gone', async ({ page }) => {
  await signUp(page)
  await importFiles(page, [['Fills.csv', threeFiles().fills]])
  const { rows } = await readApi<{ rows: { id: string; userId: string; tradingDay: string }[] }>(page, `${journalRoutes.pairPage.path}?limit=3`)
  for (const [index, { id, userId }] of rows.entries()) {
    await postApi(page, recordRoutes.updateTrade.path, { userId, id, updates: { notes: 'Waited for the second push, then took it. Size was right, the exit early.', tags: ['breakout', 'A+ setup'].slice(0, 1 + (index % 2)), ...(index === 0 ? { stop: '6740.25', screenshotHeadline: 'The entry' } : {}) } })
  }
  const { imports } = await readApi<{ imports: { id: string }[] }>(page, importRoutes.imports.path)
  await postApi(page, importRoutes.undoImport.path, { id: imports[0]?.id })
  await importFiles(page, [['Fills.csv', threeFiles(12).fills]])
  await open(page, '/dashboard/TradeLogbook', 'TradeLogbook')
  await picture(page, 'left-over-logbook')
  await button(page, 'Show').click()
  await picture(page, 'left-over-list')
})
