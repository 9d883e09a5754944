import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { localRoutes } from '#shared/api/contract.ts'
import type { Route } from '#shared/api/route.ts'
import { rule } from '#tests/helpers/copier-live.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { goTo, password, read, send, test } from './app-test.ts'
import { connect, test as testWithBrokerage } from './broker-test.ts'
import { importFiles } from './import-files.ts'

/** A text that would run in a page that took it for more than a text; the word before it says from which field it came. */
const script = (field: string): string => `${field}"'><img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload="window.ran=1">`
const times = { entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }

/** Makes a call as the page does; gives its answer. */
const call = async <R extends Route>(page: Page, { path, method }: R, body?: object, query = ''): Promise<unknown> => {
  const answer = method === 'GET' ? await read(page, `${path}${query}`) : await send(page, path, body)
  expect(answer.status(), `${path} ${await answer.text()}`).toBe(200)
  return answer.json()
}

/** What a page must never come to: anything that was made of a text, or its own policy broken. */
type Watch = { readonly holdsNoElement: () => Promise<void>; readonly shows: (path: string, ...words: readonly string[]) => Promise<void>; readonly complaints: readonly string[] }

/** Keeps such a text in every field that takes one, and opens the app; gives how it is watched, and a report of these trades. */
const keepScripts = async (page: Page): Promise<Watch & { readonly reportId: string }> => {
  const { currentUser } = (await call(page, localRoutes.signUp, { email: 'nina@example.com', password, displayName: script('nina').slice(0, 100) })) as { currentUser: { uid: string } }
  const userId = currentUser.uid
  const trade = { ...times, id: script('id'), symbol: script('symbol'), account: script('account'), accountId: script('accountId'), platform: script('pf').slice(0, 60), notes: script('notes'), tags: [script('tag').slice(0, 60)], screenshotHeadline: script('headline'), qty: 1, entryPrice: 5_000, exitPrice: 5_001, pnl: 5, stop: '4990' }
  await call(page, localRoutes.addTrade, { userId, trade })
  await call(page, localRoutes.addTrade, { userId, trade: { ...trade, id: 'plain', symbol: 'MESZ6' } })
  for (const type of ['earning', 'expense', 'Evaluation Account']) await call(page, localRoutes.addFinance, { userId, finance: { id: script(type), type, amount: 5, date: '2026-11-02', name: script('name'), balance: 0, platform: script('pf').slice(0, 60), account: script('of'), note: script('note') } })
  await call(page, localRoutes.setDayNote, { tradingDay: '2026-11-02', notes: script('day'), tags: [script('daytag').slice(0, 60)] })
  await call(page, localRoutes.setDefaultStops, { stops: [{ product: '<IMG SRC=X>', distance: '4', unit: 'points' }] })
  await call(page, localRoutes.setCommission, { of: { scope: 'firm', firm: 'Tradeify' }, product: '<IMG SRC=X>', perSide: '0.37' })
  await call(page, localRoutes.saveModel, { model: { baseUrl: 'http://127.0.0.1:1/v1', model: script('model'), key: null, prices: null } })
  const { report } = (await call(page, localRoutes.makeReport, { period: { kind: 'week', from: '2026-11-02', to: '2026-11-06' }, accounts: [] })) as { report: { id: string } }
  const { fills, account } = threeFiles(11, 1)
  const ofFile = script('fileaccount').replaceAll('"', '')
  const named = Buffer.from(fills).toString('utf8').replaceAll(`,${account},`, `,${ofFile},`)
  // A cell takes 100 characters, and of a file's name all up to the last slash is a folder.
  await importFiles(page, [[`${script('file').replaceAll('/', '')}.csv`, Buffer.from(named)]])

  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  page.on('dialog', (dialog) => void complaints.push(dialog.message()))
  await page.goto(new URL('/', page.url()).href)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  const holdsNoElement = async (): Promise<void> => {
    expect(await page.evaluate(() => [document.querySelectorAll('img[src="x"], img[src="X"], [onerror], [onload], body script:not([src])').length, 'ran' in window])).toEqual([0, false])
  }
  const shows = async (path: string, ...words: readonly string[]): Promise<void> => {
    await goTo(page, path)
    for (const word of words) await expect(page.getByText(word).filter({ visible: true }).first(), `${word} on ${path}`).toBeVisible()
    await holdsNoElement()
  }
  return { holdsNoElement, shows, complaints, reportId: report.id }
}

const tagged = '"\'><img src=x onerror='

test('a script in any stored text is shown as text', { tag: '@long' }, async ({ page }) => {
  const { holdsNoElement, shows, complaints, reportId } = await keepScripts(page)
  await shows('/dashboard', `symbol${tagged}`)
  await shows('/dashboard/TradeLogbook', `symbol${tagged}`, `account${tagged}`)
  await page.getByRole('row').filter({ hasText: 'symbol' }).first().click()
  await expect(page.getByLabel('Notes')).toHaveValue(script('notes'))
  await holdsNoElement()
  await shows('/dashboard/Operational', `name${tagged}`)
  await shows('/dashboard/Import', `file${tagged}`, "fileaccount'><img src=x onerror=")
  await shows(`/dashboard/AIreport?report=${reportId}`, 'Findings')
  expect(complaints).toEqual([])
})

testWithBrokerage('and so on every other page, and in its address', { tag: '@long' }, async ({ page }) => {
  const { holdsNoElement, shows, complaints } = await keepScripts(page)
  await shows('/dashboard?view=breakdown', 'Breakdown')
  await shows('/dashboard?view=days', 'Days')
  await shows('/dashboard/Reconciliation', `account${tagged}`)
  await connect(page)
  const saved = await call(page, localRoutes.saveGroup, { id: null, draft: { name: script('group'), leader: 'tradovate:demo:700101', followers: [rule('tradovate:demo:700102')], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true } })
  expect(saved).toMatchObject({ group: { name: script('group') } })
  await shows('/dashboard/TradeCopier', `group${tagged}`)
  await shows('/dashboard/Settings', '<IMG SRC=X>')
  await shows('/dashboard/Settings?section=stops', '<IMG SRC=X>')
  for (const path of ['/dashboard/Settings?section=copies', '/dashboard/Settings?section=account', '/dashboard/PositionScanner', '/dashboard/AutoSync']) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await holdsNoElement()
  }
  // The address is not trusted either.
  const hash = encodeURIComponent(script('address'))
  for (const path of [`/dashboard/TradeLogbook?symbol=${hash}&tag=${hash}&from=${hash}`, `/oauth/callback?error=${hash}&state=${hash}`, `/dashboard/ManageSubscription?payment=${hash}&session_id=${hash}`, `/${hash}`]) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await holdsNoElement()
  }
  expect(complaints).toEqual([])
})

test('a page of another origin on this computer, with the cookie in the same browser, can neither write nor read', { tag: '@long' }, async ({ page, app }) => {
  const { currentUser } = (await call(page, localRoutes.signUp, { email: 'nina@example.com', password, displayName: 'Nina' })) as { currentUser: { uid: string } }
  const stranger = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title><iframe name="inside"></iframe>')).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  try {
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(`http://127.0.0.1:${String((stranger.address() as AddressInfo).port)}/`)
    const finance = { userId: currentUser.uid, finance: { id: 'stolen', type: 'expense', amount: 1, balance: 0 } }
    const { path } = localRoutes.addFinance
    const outcomes = await elsewhere.evaluate(
      async ([origin, address, body]) => {
        const tries: readonly (readonly [string, RequestInit])[] = [
          ['/api/session', { credentials: 'include' }],
          ['/api/session', { credentials: 'include', mode: 'no-cors' }],
          [address, { method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }],
          [address, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body }],
        ]
        return Promise.all(tries.map(([where, init]) => fetch(`${origin}${where}`, init).then(async (answer) => `${answer.type} ${await answer.text()}`, () => 'failed')))
      },
      [app.origin, path, JSON.stringify(finance)] as const,
    )
    // Not even that there is an answer may be learned: the answers of the program belong to its own origin.
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'failed'])
    const posted = elsewhere.waitForResponse(`${app.origin}${path}`)
    await elsewhere.evaluate(
      ([action, name]) => {
        const form = Object.assign(document.createElement('form'), { action, method: 'post', enctype: 'text/plain', target: 'inside' })
        form.append(Object.assign(document.createElement('input'), { name, value: '"}' }))
        document.body.append(form)
        form.submit()
      },
      [`${app.origin}${path}`, `${JSON.stringify(finance).slice(0, -1)},"x":"`] as const,
    )
    expect((await posted).status()).toBe(403)
    const refused = elsewhere.waitForEvent('console', { predicate: (message) => /frame-ancestors|X-Frame-Options/i.test(message.text()), timeout: 30_000 })
    await elsewhere.evaluate((origin) => void (document.querySelector('iframe') ?? document.body).setAttribute('src', `${origin}/`), app.origin)
    await refused
    expect(await call(page, localRoutes.getFinances, undefined, `?userId=${currentUser.uid}`)).toEqual({ success: true, finances: [] })
  } finally {
    stranger.closeAllConnections()
    stranger.close()
  }
})

test('a program on another port of this computer gets the cookie but no access with it, and its own cookies lock nobody out', { tag: '@long' }, async ({ page, app }) => {
  const { currentUser } = (await call(page, localRoutes.signUp, { email: 'nina@example.com', password, displayName: 'Nina' })) as { currentUser: { uid: string } }
  let handed = ''
  const name = `fillbook-${new URL(app.origin).port}`
  const listener = createServer((request, response) => {
    handed ||= request.headers.cookie ?? ''
    const cookies = request.url === '/' ? [`${name}=x; Path=/`] : [`${name}=y; Path=/api`, `${name}=z; Path=/api/session`, `${name}=x; Path=/`]
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies }).end('<!doctype html><title>elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const elsewhere = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}`
  try {
    await page.goto(`${elsewhere}/`)
    expect(handed).toContain(`${name}=`)
    const finance = { userId: currentUser.uid, finance: { id: 'stolen', type: 'expense', amount: 1, balance: 0 } }
    for (const own of [{ origin: app.origin }, { 'sec-fetch-site': 'same-origin' }]) {
      const headers = { cookie: handed, ...own }
      expect((await fetch(`${app.origin}/api/session`, { headers })).status).toBe(401)
      expect((await fetch(`${app.origin}${localRoutes.addFinance.path}`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(finance) })).status).toBe(401)
      for (const path of ['/api/events', '/api/trades.csv', '/api/journal-file']) expect([path, (await fetch(`${app.origin}${path}`, { headers })).status]).toEqual([path, 401])
    }
    // The cookie under '/' is overwritten: the user stays signed in.
    await page.goto(`${app.origin}/#/dashboard/TradeLogbook`)
    const csv = page.getByRole('link', { name: 'CSV' })
    await expect(csv).toBeVisible()
    const saved = page.waitForEvent('download')
    await csv.click()
    expect((await saved).suggestedFilename()).toBe('fillbook-trades.csv')
    // All of them are overwritten and shadowed: the user signs in again.
    await page.goto(`${elsewhere}/all`)
    await page.goto(`${app.origin}/#/dashboard`)
    await page.getByLabel('Email').fill('nina@example.com')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    expect(await call(page, localRoutes.getFinances, undefined, `?userId=${currentUser.uid}`)).toEqual({ success: true, finances: [] })
  } finally {
    listener.closeAllConnections()
    listener.close()
  }
})
