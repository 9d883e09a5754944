import { expect, type Page } from '@playwright/test'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expectAccessible, goTo, test } from './app-test.ts'
import { fillEveryScreen, screensOutside, screensWithin, visit } from './every-screen.ts'
import { cutLimits, roomlessForGood } from './room-for-words.ts'

test.use({ begins: 'outside' })

const english = fileURLToPath(new URL('../../renderer/i18n/locales/en/', import.meta.url))
const flatten = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flatten))
/** What bears the same name in every language. */
const names = /^(Fillbook|English|Tradovate|NinjaTrader|AutoSync|TradeLogbook|TradeCopier|Trade Copier I{1,3}( & AutoSync)?|AIreport|Position ?Scanner|Operational|ManageSubscription|P&L|CSV|PDF|Markdown|JSON|R|NQ|p\d\d|Performance|Position History|Fills|Orders|Cash History|Account Balance History|Europe\/Berlin)$/
/** What the journal and the stated readings hold: the trader's words, a model's text, what the broker calls a product. */
const data = /^(Waited|Calm|What (stands out|to look at)|The period came in at|\$2,918\.44|Trades entered|Tuesdays|There is too little|Brent last day)/

const sentences = (): RegExp[] =>
  globSync('*.json', { cwd: english })
    .flatMap((file) => flatten(JSON.parse(readFileSync(english + file, 'utf8'))))
    .filter((text) => /[A-Za-z]{3}/.test(text.replace(/\{\{[^}]*\}\}|\$t\([^)]*\)/g, '')) && !names.test(text))
    // A placeholder may be anything.
    .map((text) => new RegExp(`^${text.split(/\{\{[^}]*\}\}|\$t\([^)]*\)|<[^>]*>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*')}$`))

/** Every text of the screen of the moment, seen or only read out, that holds Latin words and no Malayalam. */
const latin = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']
    const texts = new Set<string>([document.title])
    for (const box of document.querySelectorAll('body, body *')) {
      if (box.closest('script, style, [lang]:not(html)')) continue
      for (const name of attributes) texts.add(box.getAttribute(name) ?? '')
      for (const node of box.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.add(node.textContent ?? '')
    }
    return [...texts].map((text) => text.trim()).filter((text) => /[A-Za-z]{3}/.test(text) && !/\p{Script=Malayalam}/u.test(text))
  })

test('in Malayalam every screen speaks Malayalam, has room for it, and is for everybody', { tag: '@nightly' }, async ({ page }) => {
  test.slow()
  const spoken = sentences()
  const found = new Map<string, string>()
  const look = async (path: string): Promise<void> => {
    for (const text of await latin(page)) {
      if (names.test(text) || data.test(text)) continue
      if (spoken.some((sentence) => sentence.test(text)) || /^[A-Z][a-z]+( [a-z]+){3,}/.test(text)) found.set(text, `${path} says ${text}`)
    }
    for (const size of [{ width: 1024, height: 768 }, { width: 1440, height: 900 }]) {
      await page.setViewportSize(size)
      for (const fault of await roomlessForGood(page)) found.set(fault, `${path} at ${String(size.width)}: ${fault}`)
    }
  }
  await page.evaluate(() => { localStorage.setItem('lang', 'ml-IND') })
  for (const [at, path] of [...screensOutside, '/auth/forgot-password', '/auth/signup', '/auth/signin'].entries()) {
    await visit(page, path, at === 0)
    await look(path)
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
  await expectAccessible(page)

  await fillEveryScreen(page)
  for (const [at, path] of screensWithin.entries()) {
    await visit(page, path, at === 0)
    await look(path)
  }
  for (const path of ['/dashboard/TradeLogbook', '/dashboard/TradeCopier', '/dashboard/Settings']) {
    await visit(page, path)
    await expectAccessible(page)
  }
  expect([...found.values()]).toEqual([])
})

test('in Malayalam no limit is named by half at 1024 px', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.evaluate(() => { localStorage.setItem('lang', 'ml-IND') })
  await fillEveryScreen(page)
  for (const [at, path] of ['/dashboard', '/dashboard/PositionScanner', '/dashboard/PositionScanner?by=product', '/dashboard/PositionScanner?tab=rules'].entries()) {
    await visit(page, path, at === 0)
    await expect(page.locator('main [role=meter]').first()).toBeVisible()
    await expect.poll(() => cutLimits(page), path).toEqual([])
  }
})

test('sentences come with their screen and their language, and no key is ever shown', { tag: '@nightly' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, file] = /\/assets\/(en|ml-IND|auth|sync|overview|landing)-[\w-]{8}\.js$/.exec(request.url()) ?? []
    if (file !== undefined) asked.push(file)
  })
  await goTo(page, '/auth/signin')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(asked.toSorted()).toEqual(['auth', 'en'])

  // A screen whose texts fail to load says so, and others still load.
  await page.route('**/assets/terms-*.js', (route) => (route.request().url().includes('terms-page') ? route.fallback() : route.abort()))
  await goTo(page, '/terms')
  await expect(page.getByRole('heading', { name: 'Ooops, something went wrong :(' })).toBeVisible()
  await goTo(page, '/policy')
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()

  // A language whose texts fail to load is not applied.
  await page.route('**/assets/ml-IND-*.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'മലയാളം' }).click()
  await expect(page.getByText('Language not changed', { exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBeNull()

  // If not even the common texts load, the page says so, and offers a retry.
  await page.evaluate(() => { localStorage.setItem('lang', 'ml-IND') })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'ക്ഷമിക്കണം, എന്തോ പിശക് സംഭവിച്ചു :(' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'വീണ്ടും ലോഡ് ചെയ്യുക' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Malayalam}/u)
})
