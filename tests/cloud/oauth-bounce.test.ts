import { chromium } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { perMinute } from '#cloud/http/limits.ts'
import { ensureBrowser, isRoot } from '../../build/ensure-browser.ts'
import { startOwnCloud, type OwnCloud } from '../helpers/own-cloud.ts'
import { newAddress } from './provider.ts'

let cloud: OwnCloud

beforeAll(async () => {
  cloud = await startOwnCloud({ env: { FILLBOOK_CLOUD_TRUSTED_PROXIES: '1', FILLBOOK_CLOUD_LOG_LEVEL: 'debug' } })
})
afterAll(() => cloud.stop())

const bounce = (query: string, address = newAddress()): Promise<Response> => fetch(`${cloud.url}/oauth/callback${query}`, { headers: { 'x-forwarded-for': address }, redirect: 'manual' })
/** Where a page leads: what it refreshes to and its links, as a browser reads them. */
const leadsTo = (html: string): string[] => [...html.matchAll(/(?:url=|href=")([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))

test('a browser returning from a brokerage is redirected to the app, with the parameters that the app needs and nothing else', async () => {
  const answer = await bounce('?code=a%2Bb%2F1%3D&state=s-1_2&utm=x&to=https%3A%2F%2Fevil.example')
  const html = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(leadsTo(html)).toEqual(['fillbook://oauth/callback?code=a%2Bb%2F1%3D&state=s-1_2', 'fillbook://oauth/callback?code=a%2Bb%2F1%3D&state=s-1_2'])
  expect(html).not.toContain('evil')
  const refused = await bounce('?error=access_denied&state=s-1')
  expect(leadsTo(await refused.text())).toContain('fillbook://oauth/callback?state=s-1&error=access_denied')
})

test('its page runs no script, is neither cached nor framed, and sends no referrer', async () => {
  const { headers } = await bounce('?code=c&state=s')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
  expect([headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual(['no-store', 'no-referrer', 'DENY', 'nosniff'])
})

test.each([
  ['nothing', ''],
  ['no state', '?code=c'],
  ['neither code nor refusal', '?state=s'],
  ['the same key twice', '?code=a&code=b&state=s'],
  ['markup', '?code=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%20&state=s'],
  ['what no address holds', `?code=${encodeURIComponent('c\u0000d')}&state=s`],
  ['too much', `?code=${'c'.repeat(4_001)}&state=s`],
])('%s is redirected nowhere', async (_what, query) => {
  const answer = await bounce(query)
  const html = await answer.text()
  expect(answer.status).toBe(400)
  expect(leadsTo(html)).toEqual([])
  expect(html).not.toContain('<script')
})

test('HTML characters arrive as they were sent, and are escaped', async () => {
  const code = `"'<>&;=?#%`
  const html = await (await bounce(`?${new URLSearchParams({ code, state: 's' }).toString()}`)).text()
  const [address = ''] = leadsTo(html)
  expect(new URL(address).searchParams.get('code')).toBe(code)
  expect(html.match(/<(\w+)/g)?.filter((tag) => !['<html', '<meta', '<title', '<style', '<main', '<h1', '<p', '<a'].includes(tag))).toEqual([])
})

test('a real browser shows the page in its style and offers the link', { tags: 'long' }, async () => {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), chromiumSandbox: !isRoot })
  try {
    const page = await browser.newPage()
    const broken: string[] = []
    page.on('console', (message) => void (message.type() === 'error' ? broken.push(message.text()) : undefined))
    await page.goto(`${cloud.url}/oauth/callback?code=c&state=s`)
    const link = page.getByRole('link', { name: 'Open Fillbook' })
    expect(await link.getAttribute('href')).toBe('fillbook://oauth/callback?code=c&state=s')
    expect(await page.locator('main').evaluate((main) => getComputedStyle(main).maxWidth)).toBe('544px')
    expect(broken.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  } finally {
    await browser.close()
  }
})

test('the log contains neither code nor state', async () => {
  await bounce('?code=very-secret-code&state=very-secret-state')
  expect(cloud.stderr()).toContain('/oauth/callback')
  expect(cloud.stderr()).not.toContain('very-secret')
})

test('a caller that returns repeatedly is rate-limited, and nobody else', async () => {
  const address = newAddress()
  const answers = await Promise.all(Array.from({ length: perMinute.bounces }, () => bounce('?code=c&state=s', address)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const one = await bounce('?code=c&state=s', address)
  expect([one.status, ((await one.json()) as { code: string }).code]).toEqual([429, 'too-many-calls'])
  expect((await bounce('?code=c&state=s')).status).toBe(200)
})
