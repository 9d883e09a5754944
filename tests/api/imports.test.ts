import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { importRoutes, largestUpload, mostUploads, uploadPath } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { problem } from '#shared/api/problems.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp } from '#tests/helpers/app.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { sendUpload, uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { previewImport, addImport, cancelImport, dropUploads, undoImport, imports } = importRoutes
const none = { added: 0, changed: 0, removed: 0 }
const codeOf = async (answer: Response) => [answer.status, problem.parse(await answer.json()).code]
const filesOf = ({ fills, performance, balances }: ReturnType<typeof threeFiles>) => ({ 'Fills.csv': fills, 'Performance.csv': performance, 'Account Balance History.csv': balances })
const app = () => startApp({ env: { FILLBOOK_DEMO: 'off' } })

test('three files are previewed, imported, and undone; importing them twice changes nothing', async () => {
  const { browser, dataDir } = await app()
  const { userId } = await browser.signUp()
  const three = threeFiles()
  const { truth, world, account } = three
  const uploads = await uploadAll(browser, filesOf(three))
  const preview = await browser.call(previewImport, { body: importRequest(uploads) })
  expect(preview.files.map(({ name, kind, rows, accepted, refused, needsZone }) => [name, kind, rows, accepted, refused, needsZone])).toEqual([
    ['Fills.csv', 'fills', world.fills.length, world.fills.length, 0, false],
    ['Performance.csv', 'performance', truth.pairs.length, truth.pairs.length, 0, true],
    ['Account Balance History.csv', 'account-balance-history', truth.days.length, truth.days.length, 0, false],
  ])
  expect(preview.accounts).toEqual([{ name: account, rows: world.fills.length + truth.days.length, state: 'new' }])
  expect(preview.unnamed).toEqual({ rows: truth.pairs.length, placed: [{ name: account, rows: truth.pairs.length }], left: 0, files: [{ place: 1, by: 'ids', rows: truth.pairs.length, placed: [{ name: account, rows: truth.pairs.length }], left: 0 }] })
  expect(preview.outcome).toMatchObject({
    fills: { added: world.fills.length, changed: 0, removed: 0 },
    pairs: { added: truth.pairs.length, removed: 0 },
    trades: { added: truth.trades, removed: 0 },
    checks: { pairsChecked: truth.pairs.length, pairsEqual: truth.pairs.length },
    known: false,
  })
  // A payout moved the balance of one day, and no file of these names it.
  expect(preview.outcome?.checks).toMatchObject({ daysEqual: new Set(truth.pairs.map(({ bookedOn }) => bookedOn)).size - 1, daysDiffer: 0, daysUnchecked: 1 })
  expect(preview.outcome?.money.map(({ grossPnl }) => Math.round(Number(grossPnl) * 100))).toEqual([Number(truth.pairs.reduce((sum, { cents }) => sum + cents, 0n))])
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  expect(await browser.call(imports)).toEqual({ imports: [], running: null })

  const events = await browser.events()
  const { imported } = await browser.call(addImport, { body: importRequest(uploads) })
  // The import settles as its preview said.
  expect(imported?.settled).toMatchObject({ fills: preview.outcome?.fills, pairs: preview.outcome?.pairs, trades: preview.outcome?.trades, offTick: 0 })
  await events.next('journal-changed')
  await events.next('finances-changed')
  expect(events.seen.flatMap((event) => (event.type === 'import-progress' ? [event.progress.step] : []))).toContain('matching')
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toHaveLength(truth.pairs.length)
  const { accounts } = await browser.call(brokerageRoutes.connectedAccounts)
  expect(accounts).toMatchObject([{ name: account, loginId: '', balanceAt: null, sync: { state: 'from-files', lastGoodAt: null } }])
  const listed = await browser.call(imports)
  expect(listed.imports).toMatchObject([{ id: imported?.id, undoneAt: null, accounts: [account], files: [{ name: 'Fills.csv' }, { name: 'Performance.csv' }, { name: 'Account Balance History.csv' }] }])
  expect(existsSync(join(dataDir, 'imports', userId))).toBe(false)

  const again = await uploadAll(browser, filesOf(three))
  expect((await browser.call(previewImport, { body: importRequest(again) })).outcome).toMatchObject({ fills: none, pairs: { added: 0, removed: 0 }, money: [], known: true })
  const second = await browser.call(addImport, { body: importRequest(again) })
  expect(second.imported?.settled).toMatchObject({ fills: none, pairs: none, trades: none })
  // A file that says more than the fills do is not known already.
  for (const id of [second.imported?.id, imported?.id]) await browser.call(undoImport, { body: { id: id ?? '' } })
  const { 'Fills.csv': fills, 'Performance.csv': performance } = filesOf(three)
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': fills })) })
  expect((await browser.call(previewImport, { body: importRequest(await uploadAll(browser, { 'p.csv': performance })) })).outcome).toMatchObject({ fills: none, known: false })

  const last = (await browser.call(imports)).imports.find(({ undoneAt }) => undoneAt === null)
  const undone = await browser.call(undoImport, { body: { id: last?.id ?? '' } })
  expect(undone.settled.fills).toMatchObject({ removed: world.fills.length })
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
  expect((await browser.call(undoImport, { body: { id: last?.id ?? '' } })).settled.fills).toMatchObject({ removed: 0 })
  expect((await browser.fail(undoImport, { body: { id: 'unknown' } })).code).toBe('not-found')
})

test('rows without an account wait for the user to name it, and accounts never mix', async () => {
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const three = threeFiles(12)
  const uploads = await uploadAll(browser, { 'Performance.csv': three.performance })
  const open = await browser.call(previewImport, { body: importRequest(uploads) })
  expect(open).toMatchObject({ accounts: [], unnamed: { rows: three.truth.pairs.length, placed: [], left: three.truth.pairs.length } })
  await browser.call(addImport, { body: importRequest(uploads, three.zone, 'Evaluation 1') })
  expect((await browser.call(imports)).imports).toMatchObject([{ accounts: ['Evaluation 1'] }])
  const other = await uploadAll(browser, { 'Performance.csv': three.performance })
  await browser.call(addImport, { body: importRequest(other, three.zone, 'Evaluation 2') })
  // The same pairs are the same trades, whoever is named the second time.
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toHaveLength(three.truth.pairs.length)
  expect(new Set((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades.map(({ account }) => account))).toEqual(new Set(['Evaluation 1']))
})

test('an unknown file is refused as a whole and the rest is imported; if none is left, nothing changes', async () => {
  const { browser, dataDir, stop } = await app()
  await browser.signUp()
  const three = threeFiles(13, 2)
  const strange = { 'page.html': '<!doctype html><p>', 'empty.csv': '', 'failed.csv': 'undefined', 'binary.csv': new Uint8Array([0, 1, 2, 0, 255, 254, 0]), 'other.csv': 'a,b,c\n1,2,3\n' }
  const uploads = await uploadAll(browser, strange)
  const problems = ['unknown-kind', 'empty', 'failed-export', 'not-text', 'unknown-kind']
  const preview = await browser.call(previewImport, { body: importRequest(uploads) })
  expect(preview.files.map((file) => file.problem)).toEqual(problems)
  expect(preview).toMatchObject({ accounts: [], outcome: null, without: 'nothing-read' })
  const refused = await browser.call(addImport, { body: importRequest(uploads) })
  expect([refused.imported, refused.files.map((file) => file.problem)]).toEqual([null, problems])
  expect((await browser.call(imports)).imports).toEqual([])

  const [header = '', first = '', ...rows] = new TextDecoder().decode(three.fills).split('\r\n')
  const broken = [header, first.replace(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z,/, ',yesterday,'), ...rows].join('\r\n')
  const mixed = await uploadAll(browser, { 'Fills.csv': broken, 'page.html': '<!doctype html>' })
  const { files } = await browser.call(previewImport, { body: importRequest(mixed) })
  expect(files).toMatchObject([{ kind: 'fills', refused: 1, refusedLines: [{ line: 2, code: 'bad-time', column: '_timestamp', value: 'yesterday' }] }, { kind: null, problem: 'unknown-kind' }])
  expect((await browser.call(addImport, { body: importRequest(mixed) })).imported?.settled.fills.added).toBe(three.world.fills.length - 1)
  await stop()
  const kept = new SqliteDatabase(join(dataDir, 'journal.db'), { readonly: true })
  expect(kept.prepare('SELECT name, accepted, refused FROM import_files').all()).toEqual([{ name: 'Fills.csv', accepted: three.world.fills.length - 1, refused: 1 }])
  kept.close()
})

test('invalid requests are refused', async () => {
  const { browser } = await app()
  await browser.signUp()
  const uploads = await uploadAll(browser, { 'a.csv': 'a' })
  const wrong: [string, unknown][] = [
    ['zone', importRequest(uploads, 'Mars/Olympus')],
    ['account', importRequest(uploads, 'UTC', ' ')],
    ['uploads', importRequest([])],
    ['uploads.0.id', importRequest([{ id: '../journal.db', name: 'a.csv' }])],
    ['work', { ...importRequest(uploads), work: 'mine' }],
  ]
  for (const [field, body] of wrong) {
    for (const route of [previewImport, addImport]) expect(await browser.fail(route, { body })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: field }] })
  }
  expect(await browser.fail(previewImport, { body: importRequest([{ id: randomUUID(), name: 'a.csv' }]) })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await browser.call(cancelImport, { body: { work: randomUUID() } })).toEqual({ success: true, canceled: false })
})

test('a file name is never used as a path, and only its user can reach a file', async () => {
  const { browser, newBrowser, dataDir } = await app()
  const stranger = await newBrowser()
  expect(await codeOf(await sendUpload(stranger, 'a.csv', 'x'))).toEqual([401, 'not-signed-in'])
  const { userId } = await browser.signUp()
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) expect(await codeOf(await sendUpload(browser, 'a.csv', 'x', headers))).toEqual([403, 'strange-origin'])
  for (const name of ['', '/', '..\\', '\0']) expect([name, ...(await codeOf(await sendUpload(browser, name, 'x')))]).toEqual([name, 400, 'invalid-request'])
  expect(await codeOf(await fetch(`${browser.origin}${uploadPath}`, { method: 'POST', body: 'x', headers: browser.own() }))).toEqual([400, 'invalid-request'])
  expect(existsSync(join(dataDir, 'imports', userId))).toBe(false)

  const uploads = await uploadAll(browser, { '../../../journal.db': 'mine', 'C:\\Temp\\Fills.csv': 'mine' })
  expect(uploads.map(({ name }) => name)).toEqual(['journal.db', 'Fills.csv'])
  expect(readdirSync(join(dataDir, 'imports', userId)).sort()).toEqual(uploads.map(({ id }) => id).sort())
  await stranger.signUp('bob@example.com')
  for (const route of [previewImport, addImport]) expect(await stranger.fail(route, { body: importRequest(uploads) })).toMatchObject({ status: 404, code: 'not-found' })
  await stranger.call(dropUploads, { body: { uploads: uploads.map(({ id }) => id) } })
  expect(readdirSync(join(dataDir, 'imports', userId))).toHaveLength(2)
})

test('files that are not imported are deleted on drop, at sign-out and at start; too many or too large ones are refused', { tags: 'long' }, async () => {
  const { browser, dataDir, stop } = await app()
  const { userId } = await browser.signUp()
  const folder = join(dataDir, 'imports', userId)
  const [first, second] = await uploadAll(browser, { 'a.csv': 'a', 'b.csv': 'b' })
  await browser.call(dropUploads, { body: { uploads: [first?.id ?? ''] } })
  expect(readdirSync(folder)).toEqual([second?.id])
  for (let index = 1; index < mostUploads; index += 1) await uploadAll(browser, { 'more.csv': 'x' })
  expect(await codeOf(await sendUpload(browser, 'one-more.csv', 'x'))).toEqual([409, 'too-many-uploads'])
  await browser.call(sessionRoutes.signOut)
  expect(existsSync(folder)).toBe(false)
  await browser.call(sessionRoutes.signIn, { body: { email: 'ann@example.com', password: 'correct horse' } })
  const large = await browser.send(`${uploadPath}?name=a.csv`, { method: 'POST', headers: { 'content-length': String(largestUpload + 1) }, body: '' }).catch((error: unknown) => error)
  expect(large instanceof Error ? large.message : (large as { status: number }).status).toBe(413)
  await uploadAll(browser, { 'left.csv': 'x' })
  await stop()
  const again = await startApp({ dataDir, env: { FILLBOOK_DEMO: 'off' } })
  expect(existsSync(folder)).toBe(false)
  await again.stop()
})

test('an unwritable folder is reported at once, however large the file is, and the next file is accepted again', { tags: 'long' }, async () => {
  const { browser, dataDir } = await app()
  const { userId } = await browser.signUp()
  mkdirSync(join(dataDir, 'imports'), { recursive: true })
  writeFileSync(join(dataDir, 'imports', userId), 'in the way')
  const within = { signal: AbortSignal.timeout(20_000) }
  const large = await fetch(`${browser.origin}${uploadPath}?name=a.csv`, { method: 'POST', body: new Uint8Array(20_000_000), headers: browser.own(), ...within })
  expect(await codeOf(large)).toEqual([507, 'data-folder-unwritable'])
  rmSync(join(dataDir, 'imports', userId))
  expect(await uploadAll(browser, { 'a.csv': 'x' })).toHaveLength(1)
})

test('an import canceled while its files are read leaves nothing behind, and can be repeated', { tags: 'long' }, async () => {
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const three = threeFiles(15, 6)
  const text = new TextDecoder().decode(three.fills)
  const start = text.indexOf('\n') + 1
  const uploads = await uploadAll(browser, { 'Fills.csv': three.fills, 'Again.csv': text.slice(0, start) + text.slice(start).repeat(Math.ceil(20_000_000 / text.length)) })
  for (const route of [previewImport, addImport]) {
    const events = await browser.events()
    const request = importRequest(uploads)
    const ended = browser.fail(route, { body: request })
    await events.next('import-progress')
    expect(await browser.call(cancelImport, { body: { work: request.work } })).toEqual({ success: true, canceled: true })
    expect(await ended).toMatchObject({ status: 409, code: 'import-cancelled' })
    expect(events.seen.some((event) => event.type === 'journal-changed')).toBe(false)
    events.close()
  }
  expect(await browser.call(imports)).toEqual({ imports: [], running: null })
  expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toEqual([])
  const { imported } = await browser.call(addImport, { body: importRequest(uploads.slice(0, 1)) })
  expect(imported?.settled.fills.added).toBe(three.world.fills.length)
})

test('an imported account is deleted like any other, and importing its files restores it', { tags: 'long' }, async () => {
  const { browser } = await app()
  const { userId } = await browser.signUp()
  const three = threeFiles(16, 2)
  await browser.call(addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': three.fills })) })
  const [account] = (await browser.call(brokerageRoutes.connectedAccounts)).accounts
  const id = account?.id ?? ''
  // As the screen does it.
  await browser.call(recordRoutes.removeFinance, { body: { userId, id } })
  await browser.call(recordRoutes.removeTrade, { body: { userId, accountId: id } })
  await browser.call(brokerageRoutes.tradovate, { body: { userId, action: 'removeToken', accountId: id } })
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toEqual([])
  expect((await browser.call(journalRoutes.pairPage, { query: {} })).total).toBe(0)
  const uploads = await uploadAll(browser, { 'Fills.csv': three.fills })
  expect(await browser.call(previewImport, { body: importRequest(uploads) })).toMatchObject({ accounts: [{ name: three.account, state: 'removed' }], outcome: { known: false } })
  await browser.call(addImport, { body: importRequest(uploads) })
  expect((await browser.call(brokerageRoutes.connectedAccounts)).accounts).toMatchObject([{ id }])
  expect((await browser.call(journalRoutes.pairPage, { query: {} })).total).toBe(three.truth.pairs.length)
})
