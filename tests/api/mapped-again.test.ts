import { expect, test } from 'vitest'
import { importRoutes } from '#shared/api/imports.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { startApp } from '#tests/helpers/app.ts'
import { formatOf } from '#tests/helpers/exports/any-format.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { previewImport, addImport, undoImport, saveImportFormat } = importRoutes
const [chicago, newYork, losAngeles] = ['America/Chicago', 'America/New_York', 'America/Los_Angeles']
const header = 'My time,My symbol,My side,My quantity,My price,My account\n'
const rows = (account: string): string => `2026-06-15 09:31:00,MESU6,in,1,6000,${account}\n2026-06-15 09:40:00,MESU6,out,1,6002.5,${account}\n2026-06-15 10:02:00,MESU6,out,1,6010,${account}\n2026-06-15 10:30:00,MESU6,in,1,6004,${account}\n`

const start = async () => {
  const { browser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  await browser.call(saveImportFormat, { body: { format: formatOf('fills', ['time', 'symbol', 'side', 'quantity', 'price', 'account']) } })
  const request = async (content: string, zone: string) => importRequest(await uploadAll(browser, { 'mine.csv': header + content }), zone)
  return {
    preview: async (content: string, zone = chicago) => (await browser.call(previewImport, { body: await request(content, zone) })).outcome,
    add: async (content: string, zone = chicago) => (await browser.call(addImport, { body: await request(content, zone) })).imported?.id ?? '',
    undo: (id: string) => browser.call(undoImport, { body: { id } }),
    opened: async () => (await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ entryTime }) => entryTime).sort(),
  }
}

const fresh = '2026-06-16 09:31:00,MESU6,in,1,6000,Mine\n2026-06-16 09:40:00,MESU6,out,1,6002.5,Mine\n'

test.each([[newYork, 60, '2026-06-15T13:31:00.000Z'], [losAngeles, -120, '2026-06-15T16:31:00.000Z']])('a mapped file imported again in %s changes nothing, says so, and counts in that zone once the first import is undone', async (zone, minutes, alone) => {
  const { preview, add, undo, opened } = await start()
  const first = await add(rows('Mine'))
  const before = await opened()
  expect(before[0]).toBe('2026-06-15T14:31:00.000Z')
  const shift = { files: ['mine.csv'], minutes, fits: chicago }
  const again = await preview(rows('Mine'), zone)
  expect(again).toMatchObject({ known: true, fills: { added: 0, changed: 0, removed: 0 } })
  expect(again?.warnings).toContainEqual({ code: 'zone-mismatch', rows: 4, at: [], shift })
  const longer = rows('Mine') + fresh
  expect(await preview(longer, zone)).toMatchObject({ known: false, fills: { added: 2, changed: 0, removed: 0 } })
  await add(longer, zone)
  expect(await opened()).toEqual([...before, '2026-06-16T14:31:00.000Z'])
  await undo(first)
  expect([(await opened())[0], (await opened()).length]).toEqual([alone, 3])
})

// Each says the same trades in another form: whole minutes, one fill in two rows, the other side, another contract.
test.each<[string, (content: string) => string]>([
  ['without seconds', (content) => content.replaceAll(/:\d\d,/g, ',')],
  ['with a fill in two rows', (content) => content.replace('in,1,6000', 'in,2,6000').replace('out,1,6002.5', 'out,2,6002.5')],
  ['after its sides were corrected', (content) => content.replaceAll(/,(in|out),/g, (side) => (side === ',in,' ? ',out,' : ',in,'))],
  ['after its contract was corrected', (content) => content.replaceAll('MESU6', 'MESZ6')],
])('a mapped file imported again %s is asked about before its trades count twice, and proves no day', async (_, changed) => {
  const { preview, add } = await start()
  const seconds = rows('Mine').replaceAll(':31:00', ':31:10').replaceAll(':30:00', ':30:20')
  const apart = async (content: string) => (await preview(content))?.warnings.filter(({ code }) => code === 'files-apart')
  expect(await apart(seconds)).toEqual([])
  await add(seconds)
  expect(await apart(seconds)).toEqual([])
  expect(await apart(changed(seconds))).toMatchObject([{ account: 'Mine', files: ['mine.csv'] }])
})

test('of two files of one name, a fill that both have under other ids counts once', async () => {
  const { add, preview, opened } = await start()
  await add(rows('Mine'))
  const before = await opened()
  const utc = rows('Mine').replaceAll(/ (\d\d):(\d\d:\d\d)/g, (_, hour: string, rest: string) => ` ${String(Number(hour) + 5)}:${rest}Z`)
  expect((await preview(utc))?.warnings.map(({ code }) => code)).toContain('contradicting-rows')
  await add(utc)
  expect(await opened()).toEqual(before)
})

test('an account with a different spelling in a file is asked about before it becomes a new account', async () => {
  const { preview, add } = await start()
  const spelled = async (content: string) => (await preview(content))?.warnings.filter(({ code }) => code === 'accounts-spelled')
  const warning = [{ code: 'accounts-spelled', accounts: ['TS-150K-01', 'ts150k 01'] }]
  expect(await spelled(rows('TS-150K-01') + rows('ts150k 01'))).toEqual(warning)
  await add(rows('TS-150K-01'))
  expect([await spelled(rows('ts150k 01')), await spelled(rows('TS-150K-01') + fresh), await spelled(rows('TS-150K-011'))]).toEqual([warning, [], []])
  // The warning comes before the import, and not with every later one.
  await add(rows('ts150k 01'))
  expect(await spelled(fresh.replaceAll('Mine', 'ts150k 01'))).toEqual([])
})
