import { importRoutes, uploadAnswer, uploadPath } from '#shared/api/imports.ts'
import { plainBytes, type ThreeFiles } from '#tests/helpers/exports/three-files.ts'
import { balanceTable } from '#tests/helpers/exports/tradovate-files.ts'
import type { TrueDay } from '#tests/helpers/exports/truth.ts'
import { expect, type Page } from '@playwright/test'
import { send } from './app-test.ts'

/** A file as the browser is given it. */
export type Named = { readonly name: string; readonly content: Uint8Array | string }

/** The three files under the names that the broker gives them. */
export const threeOf = ({ fills, performance, balances }: ThreeFiles): Named[] => [
  { name: 'Fills.csv', content: fills },
  { name: 'Performance.csv', content: performance },
  { name: 'Account Balance History.csv', content: balances },
]

/** Drags files over the page and lets go of them there, as a browser tells it. */
export const dropOn = async (page: Page, files: readonly Named[], over: () => Promise<void> = async () => undefined): Promise<void> => {
  const given = files.map(({ name, content }) => ({ name, base64: Buffer.from(content).toString('base64') }))
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of list) transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type: 'text/csv' }))
    return transfer
  }, given)
  await page.dispatchEvent('main', 'dragover', { dataTransfer: data })
  await over()
  await page.dispatchEvent('main', 'drop', { dataTransfer: data })
}

/** Fills of an unknown product: its point value counts as 1.00, and Settings asks for it. */
export const strangeFills: readonly [name: string, bytes: Uint8Array] = [
  'Strange.csv',
  new TextEncoder().encode(
    [
      '_id,_orderId,_timestamp,_tradeDate,_action,_qty,_price,_active,Account,B/S,Quantity,Price,_tickSize,Contract,commission',
      '91,191,2026-02-13 15:00:00.000Z,2026-02-13,0,1,100.25,true,EVAL-STRANGE, Buy,1,100.25,0.25,XQZH6,0.50',
      '92,192,2026-02-13 15:04:00.000Z,2026-02-13,1,1,101.00,true,EVAL-STRANGE, Sell,1,101.00,0.25,XQZH6,0.50',
    ].join('\r\n'),
  ),
]

/** Imports files past the screens. */
export const importFiles = async (page: Page, files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<void> => {
  const uploads: unknown[] = []
  for (const [name, bytes] of files) {
    const response = await send(page, `${uploadPath}?name=${encodeURIComponent(name)}`, Buffer.from(bytes), { 'content-type': 'application/octet-stream' })
    uploads.push(uploadAnswer.parse(await response.json()).upload)
  }
  const response = await send(page, importRoutes.addImport.path, { work: crypto.randomUUID(), uploads, zone: 'America/New_York', account: null })
  expect(importRoutes.addImport.answer.parse(await response.json()).imported).not.toBeNull()
}

/** The three files, the balance of one day a cent too high. */
export const withRedDay = (three: ThreeFiles): { readonly files: readonly (readonly [string, Uint8Array])[]; readonly red: TrueDay; readonly days: readonly string[] } => {
  const traded = [...new Set(three.truth.pairs.map(({ bookedOn }) => bookedOn))].sort()
  const red = three.truth.days.find(({ date }) => date === traded[1]) as TrueDay
  const days = three.truth.days.map((day) => (day === red ? { ...day, realized: day.realized + 1n } : day))
  const balances = plainBytes(balanceTable(days, { zone: three.zone, money: 'dollars', year2026: true }))
  return { files: [['Fills.csv', three.fills], ['Performance.csv', three.performance], ['Balances.csv', balances]], red, days: traded }
}
