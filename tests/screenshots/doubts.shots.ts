import { expect, type Page } from '@playwright/test'
import { signUp, test } from '../e2e/app-test.ts'
import { importFiles, strangeFills } from '../e2e/import-files.ts'
import { open, picture } from './picture.ts'

test.setTimeout(600_000)

const fillsHeader = '_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,Account,B/S,Quantity,Price,_tickSize,Contract,commission'
const fill = (id: number, clock: string, side: 'Buy' | 'Sell', price: string, more: { readonly day?: string; readonly contract?: string; readonly tick?: string; readonly fee?: string } = {}): string => {
  const { day = '2026-02-12', contract = 'MESH6', tick = '0.25', fee = '0.50' } = more
  return `${String(id)},${String(id + 100)},${day} ${clock}.083Z,${day},${side === 'Buy' ? '0' : '1'},1,${price},true,EVAL-101, ${side},1,${price},${tick},${contract},${fee}`
}
const file = (name: string, lines: readonly string[]): readonly [string, Uint8Array] => [name, new TextEncoder().encode(lines.join('\r\n'))]
const dax = { day: '2026-02-11', contract: 'FDAXH6', tick: '1', fee: '' } as const
const cashHeader = 'Account,Transaction ID,Timestamp,Date,Delta,Amount,Cash Change Type,Currency,Contract'

const fills = file('Fills.csv', [
  fillsHeader,
  ...[fill(1, '15:00:00', 'Buy', '24000', dax), fill(2, '15:01:00', 'Sell', '24001', dax)],
  ...[fill(11, '15:00:00', 'Buy', '6900.00'), fill(12, '15:05:00', 'Sell', '6904.00'), fill(12, '15:05:00', 'Sell', '6905.00')],
  ...[fill(21, '15:00:00', 'Buy', '6910.00', { day: '2026-02-13' }), fill(22, '15:05:00', 'Sell', '6908.00', { day: '2026-02-13', fee: '0.515' }), fill(23, '16:00:00', 'Sell', '6910.00', { day: '2026-02-13' })],
])
const cash = file('Cash History.csv', [
  cashHeader,
  ...['EVAL-101,1,02/11/2026 10:00:00,2026-02-11,-2.10,"9,997.90",Exchange Fee,USD,FDAXH6', 'EVAL-101,2,02/11/2026 10:01:00,2026-02-11,-2.10,"9,995.80",Exchange Fee,USD,FDAXH6', 'EVAL-101,3,02/11/2026 10:01:00,2026-02-11,25.00,"50,025.00",Trade Paired,EUR,FDAXH6'],
  'EVAL-101,4,02/13/2026 11:30:00,2026-02-13,-1.20,"9,994.60",Exchange Fee,USD,MNQH6',
])
const orders = file('Orders.csv', ['orderId,Account,Order ID,B/S,Contract,avgPrice,filledQty,Fill Time,Status,_tickSize,Timestamp', '121,EVAL-101,121, Buy,MESH6,6910.25,1,02/13/2026 10:00:00, Filled,0.25,02/13/2026 10:00:00', '130,EVAL-101,130, Buy,MESH6,6911.,1,02/13/2026 12:00:00, Filled,0.25,02/13/2026 12:00:00'])
const balances = file('Account Balance History.csv', ['Account ID,Account Name,Trade Date,Total Amount,Total Realized PNL', '99,EVAL-101,2026-02-12,"50,024.00",19.00', '99,EVAL-101,2026-02-13,"50,012.48",-11.02'])

const choose = (page: Page, files: readonly (readonly [string, Uint8Array])[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(files.map(([name, bytes]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) })))

test('what files leave in doubt, from the preview to the proof of a day', async ({ page }) => {
  await signUp(page)
  await open(page, '/dashboard/Import', 'Import')
  const files = [fills, cash, orders, balances, strangeFills]
  await choose(page, files)
  await expect(page.getByRole('list', { name: 'Warnings' })).toBeVisible()
  await picture(page, 'doubts-preview')
  await page.getByRole('list', { name: 'Warnings' }).scrollIntoViewIfNeeded()
  await picture(page, 'doubts-warnings')
  await importFiles(page, files)
  await open(page, '/dashboard', 'Overview')
  await page.reload()
  await expect(page.getByText('not checked').first()).toBeVisible()
  await picture(page, 'doubts-overview')
  await open(page, '/dashboard/Reconciliation', 'Reconciliation')
  await expect(page.locator('[data-line="1"]')).toBeVisible()
  await picture(page, 'doubts-reconciliation')
  for (const day of ['2026-02-11', '2026-02-12', '2026-02-13']) {
    await page.goto(page.url().replace(/#.*/, `#/dashboard/Reconciliation?${new URLSearchParams({ day, of: 'file:EVAL-101' }).toString()}`))
    await expect(page.getByRole('dialog')).toBeVisible()
    await picture(page, `doubts-day-${day}`)
    await page.keyboard.press('Escape')
  }
  await open(page, '/dashboard/TradeLogbook?unit=pairs&symbol=FDAX', 'TradeLogbook')
  await picture(page, 'doubts-logbook')
  await page.locator('[data-line="0"]').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'doubts-trade')
  await open(page, '/dashboard/Settings?section=points', 'Settings')
  await expect(page.getByRole('form', { name: 'XQZ' })).toBeVisible()
  await picture(page, 'doubts-points')
})
