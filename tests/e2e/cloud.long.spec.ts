import { expect, type Locator, type Page } from '@playwright/test'
import { createHash } from 'node:crypto'
import { openLine } from '#tests/helpers/line.ts'
import { startApp, temporaryFolder } from '#tests/helpers/running-app.ts'
import { goTo, send, signUp } from './app-test.ts'
import { allow, financesOf, goToConsent, labelAccounts, labelDialog, labelsDialog, readApi } from './broker-test.ts'
import { agreed, mirroredSettings, test, viewOf } from './cloud-test.ts'

const email = 'nina@example.com'
const labels = [
  { type: 'Evaluation Account', firm: 'Apex Trader Funding' },
  { type: 'Funded Account', firm: 'Take Profit Trader' },
  { type: 'Evaluation Account', firm: 'Funded Next Futures' },
  { type: 'Funded Account', firm: 'Other' },
] as const
const labelOf = (index: number) => labels[index % labels.length] ?? labels[0]
const sent = { timeout: 30_000 }

const rowOf = (page: Page, account: string): Locator => page.getByRole('row').filter({ hasText: account })
const place = (page: Page, line: RegExp | string): Locator => page.getByRole('complementary', { name: 'Pages' }).getByRole('button', { name: line })
const idle = (page: Page): Promise<void> => expect.poll(async () => (await readApi<{ running: unknown }>(page, '/api/sync')).running, { timeout: 60_000 }).toBeNull()
const openAutoSync = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(page.getByRole('heading', { name: 'AutoSync', exact: true })).toBeVisible()
}

/** Opens the newest trade of an account. */
const openTrade = async (page: Page, account: string): Promise<void> => {
  await goTo(page, `/dashboard/TradeLogbook?unit=pairs&account=${account}`)
  await page.locator('[data-line="0"]').filter({ hasText: /Long|Short/ }).click()
  await expect(page.getByLabel('Notes')).toBeVisible()
}

const close = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Puts a drawn picture into the first place of the open trade; gives its SHA-256. */
const addPicture = async (page: Page, color: string): Promise<string> => {
  const base64 = await page.evaluate((fill) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
    const pen = canvas.getContext('2d')
    if (pen === null) throw new Error('No canvas')
    pen.fillStyle = fill
    pen.fillRect(0, 0, 640, 360)
    pen.fillStyle = '#26a69a'
    for (let bar = 0; bar < 40; bar += 1) pen.fillRect(bar * 16 + 3, 150 + 60 * Math.sin(bar / 6), 9, 60)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, color)
  const buffer = Buffer.from(base64, 'base64')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose: First picture' }).press('Enter')
  await (await chooser).setFiles({ name: 'chart.png', mimeType: 'image/png', buffer })
  await expectPicture(page)
  return createHash('sha256').update(buffer).digest('hex')
}
const expectPicture = (page: Page): Promise<void> =>
  expect.poll(() => page.getByRole('group', { name: 'First picture' }).locator('img').evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0))).toBe(640)

/** Connects a login that is not the remembered one. */
const connectAnother = async (page: Page, login: string): Promise<void> => {
  await openAutoSync(page)
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  await page.getByRole('button', { name: 'Connect another login' }).click()
  await allow(page, login)
}

test('two logins, four accounts and more, labels, notes, a picture, disconnected, connected again, expired: PostgreSQL agrees after each step, and a second computer gets it all', async ({ page, browser, broker, cloud }) => {
  test.setTimeout(480_000)
  const [ava, ben] = broker.logins
  if (ava === undefined || ben === undefined) throw new Error('The brokerage has two logins')
  await signUp(page, email)
  const mine = await cloud.of(email)
  await expect.poll(() => mine.records('profile'), sent).toEqual([{ id: 'profile', content: { timeZone: 'America/Chicago' } }])

  const labeled = new Map<string, (typeof labels)[number]>()
  const labelNew = async (): Promise<void> => {
    await expect(labelDialog(page).or(labelsDialog(page))).toBeVisible()
    const waiting = (await financesOf(page)).filter(({ type }) => type === 'Account')
    for (const { name } of waiting) labeled.set(name, labelOf(labeled.size))
    await labelAccounts(page, waiting.map(({ name }) => ({ account: name, ...(labeled.get(name) ?? labelOf(0)) })))
    for (const { id, name } of waiting) await expect.poll(async () => (await mine.records('finance')).find((finance) => finance.id === id)?.content, sent).toMatchObject({ ...labeled.get(name), removedAt: null })
    await idle(page)
  }
  await goToConsent(page)
  await allow(page, ava.name)
  await labelNew()
  expect((await agreed(page, mine)).accounts.map(({ name }) => name).sort()).toEqual(ava.accounts.map(({ name }) => name).sort())
  await connectAnother(page, ben.name)
  await labelNew()
  expect(labeled.size).toBeGreaterThanOrEqual(4)
  const connected = await agreed(page, mine)
  expect(Object.fromEntries(connected.accounts.map(({ name, type, firm }) => [name, { type, firm }]))).toEqual(Object.fromEntries(labeled))
  expect(connected.pairs.length).toBeGreaterThan(10)

  // What the trader says of a trade, with a picture as a file.
  const [leaving = ''] = labeled.keys()
  await openTrade(page, leaving)
  await page.getByLabel('Notes').fill('Waited for the retest.')
  await page.getByLabel('Tags').fill('retest, patience')
  const sha256 = await addPicture(page, '#131722')
  await page.getByLabel('Headline of the first picture').fill('Entry at the open')
  await page.getByRole('button', { name: 'Done' }).click()
  const said = { notes: 'Waited for the retest.', tags: ['retest', 'patience'], screenshot: `${sha256}.png`, screenshotHeadline: 'Entry at the open' }
  await expect.poll(async () => (await viewOf(page)).pairs.filter(({ notes }) => notes !== '')).toMatchObject([said])
  const noted = await agreed(page, mine)
  const [edit] = await mine.records('edit')
  expect(noted.pairs.find(({ id }) => id === edit?.id)).toMatchObject(said)
  expect(await mine.pictures()).toMatchObject([{ name: `${sha256}.png`, sha256 }])

  // Disconnected: out of view on both sides, and everything is kept.
  await openAutoSync(page)
  await page.getByRole('button', { name: `Delete Account ${leaving}` }).click()
  await page.getByRole('dialog', { name: 'Connection removed successfully' }).getByRole('button', { name: 'Continue' }).click()
  const left = await agreed(page, mine)
  expect(left.accounts.map(({ name }) => name).sort()).toEqual([...labeled.keys()].filter((name) => name !== leaving).sort())
  expect(left.pairs.length).toBeGreaterThan(0)
  expect(left.pairs.length).toBeLessThan(noted.pairs.length)
  expect((await mine.records('account')).filter(({ content }) => content['removedAt'] !== null).map(({ content }) => content['name'])).toEqual([leaving])
  expect(await mine.records('edit')).toEqual([edit])
  expect(await mine.pictures()).toHaveLength(1)

  await connectAnother(page, ava.name)
  await expect(rowOf(page, leaving)).toContainText(labelOf(0).firm)
  await idle(page)
  await expect(labelDialog(page)).toHaveCount(0)
  expect(await agreed(page, mine)).toEqual(noted)
  await openTrade(page, leaving)
  await expect(page.getByLabel('Notes')).toHaveValue(said.notes)
  await expectPicture(page)
  await close(page)

  // The brokerage refuses one login's refresh twice: reported, acknowledged, out of view.
  broker.faults.set([{ kind: 'refuse-refresh', times: 2 }])
  broker.sessions.killAccess(ben.name)
  await openAutoSync(page)
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  for (const { name } of ben.accounts) await expect(rowOf(page, name)).toContainText('Login needed', { timeout: 60_000 })
  expect(broker.faults.active()).toEqual([])
  expect(await agreed(page, mine)).toEqual(noted)
  await page.reload()
  const expired = page.getByRole('dialog', { name: 'Account Access Expired' })
  for (const { name } of ben.accounts) await expect(expired.getByText(name, { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(expired.getByRole('listitem')).toHaveCount(ben.accounts.length)
  await expired.getByRole('button', { name: 'Acknowledge & Remove' }).click()
  await expect(expired).toHaveCount(0)
  await expect.poll(async () => (await financesOf(page)).map(({ name }) => name).sort()).toEqual(ava.accounts.map(({ name }) => name).sort())
  const before = await agreed(page, mine)
  expect((await mine.records('account')).filter(({ content }) => content['removedAt'] !== null).map(({ content }) => content['name']).sort()).toEqual(ben.accounts.map(({ name }) => name).sort())

  // A second computer, in another zone, whose line brings the accounts at once and the rest when it is let go.
  const line = await openLine(cloud.url)
  const release = Promise.withResolvers<'through'>()
  line.decide = ({ query }) => (query.get('part') === 'rest' ? release.promise : 'through')
  const folder = await temporaryFolder()
  const second = await startApp({ dataDir: folder.path, env: mirroredSettings(broker, line.url, 'Europe/Berlin') })
  const context = await browser.newContext()
  try {
    const other = await context.newPage()
    await other.goto(second.launchUrl)
    await other.waitForURL((url) => !url.searchParams.has('token'))
    await signUp(other, email)
    await expect(place(other, /^Restoring \d+%$/)).toBeVisible()
    await expect(other.getByRole('main').getByRole('progressbar', { name: 'Journal restored' })).toBeVisible()
    await expect(other.getByText('No accounts yet')).toHaveCount(0)
    release.resolve('through')
    await expect(place(other, 'Cloud up to date')).toBeVisible({ timeout: 60_000 })
    expect(await agreed(other, mine)).toEqual(before)
    await expect(other.getByText('Win rate', { exact: true })).toBeVisible()
    expect(await readApi(other, '/api/session')).toMatchObject({ timeZone: 'America/Chicago' })
    await openTrade(other, leaving)
    await expect(other.getByLabel('Notes')).toHaveValue(said.notes)
    await expectPicture(other)
    await close(other)

    await openAutoSync(other)
    for (const { name } of ava.accounts) await expect(rowOf(other, name)).toContainText('Not connected here')
    await other.getByRole('button', { name: `Connect here: ${leaving}` }).click()
    await other.getByRole('checkbox', { name: 'Also import the past year' }).uncheck()
    await other.getByRole('button', { name: '+ Add Account here' }).click()
    await allow(other, ava.name)
    for (const { name } of ava.accounts) await expect(rowOf(other, name)).toContainText('Synced', { timeout: 60_000 })
    await expect(labelDialog(other)).toHaveCount(0)
    await idle(other)
    expect(await agreed(other, mine)).toEqual(before)
    expect(await agreed(page, mine)).toEqual(before)

    // The login that expired on the first computer is connected on the second: labels are back there, and then here.
    await connectAnother(other, ben.name)
    for (const { name } of ben.accounts) await expect(rowOf(other, name)).toContainText(labeled.get(name)?.firm ?? '')
    await idle(other)
    expect(await agreed(other, mine)).toEqual(noted)
    await send(page, '/api/mirror')
    for (const { name } of ben.accounts) await expect(rowOf(page, name)).toContainText('Not connected here', { timeout: 30_000 })
    expect(await agreed(page, mine)).toEqual(noted)
  } finally {
    await context.close()
    await second.stop()
    await line.close()
    await folder.remove()
  }
})

test('with the cloud gone in the middle the sidebar says what waits, work goes on, and everything arrives when it is back', { tag: '@nightly' }, async ({ page, broker, cloud }) => {
  test.setTimeout(240_000)
  const [first, later] = broker.walk
  broker.clock.set(first?.at ?? 0)
  await signUp(page, email)
  await goToConsent(page)
  await allow(page, broker.logins[0]?.name)
  await labelAccounts(page, (await financesOf(page)).map(({ name }, index) => ({ account: name, ...labelOf(index) })))
  await idle(page)
  const mine = await cloud.of(email)
  const known = await agreed(page, mine)
  const account = known.accounts[0]?.name ?? ''
  await expect(place(page, 'Cloud up to date')).toBeVisible()

  await cloud.kill()
  await openTrade(page, account)
  await page.getByLabel('Notes').fill('Written on the train.')
  const sha256 = await addPicture(page, '#20242e')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(place(page, /^Offline, \d+ pending$/)).toBeVisible({ timeout: 30_000 })
  broker.clock.set(later?.at ?? 0)
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  await expect.poll(async () => (await viewOf(page)).pairs.length, { timeout: 60_000 }).toBeGreaterThan(known.pairs.length)
  await idle(page)
  await openAutoSync(page)
  await page.getByRole('button', { name: `Delete Account ${known.accounts[1]?.name ?? ''}` }).click()
  await page.getByRole('dialog', { name: 'Connection removed successfully' }).getByRole('button', { name: 'Continue' }).click()
  const { waiting } = await readApi<{ waiting: number }>(page, '/api/mirror')
  expect(waiting).toBeGreaterThan(3)
  const standing = place(page, `Offline, ${String(waiting)} pending`)
  await expect(standing).toBeVisible()

  // The outbox survives a reload; the page shows its age and the next retry.
  await page.reload()
  await standing.click()
  await expect(page.getByText(new RegExp(`^${String(waiting)} changes pending since .+\\.$`))).toBeVisible()
  await expect(page.getByText(/^Next retry at .+\.$/)).toBeVisible()
  await cloud.start()
  const meanwhile = await cloud.of(email)
  expect(await meanwhile.view()).toEqual(known)
  expect(await meanwhile.pictures()).toEqual([])
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.keyboard.press('Escape')
  await expect(place(page, 'Cloud up to date')).toBeVisible({ timeout: 60_000 })
  const after = await agreed(page, meanwhile)
  expect(after.pairs.filter(({ notes }) => notes !== '')).toMatchObject([{ notes: 'Written on the train.', screenshot: `${sha256}.png` }])
  expect(after.accounts).toHaveLength(known.accounts.length - 1)
  expect(await meanwhile.pictures()).toMatchObject([{ sha256 }])
})
