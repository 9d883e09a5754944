import english from '#renderer/i18n/locales/en/trade-logbook.json' with { type: 'json' }
import malayalam from '#renderer/i18n/locales/ml-IND/trade-logbook.json' with { type: 'json' }
import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { offerDesktop } from './desktop-bridge.ts'
import { takePushes } from './stated/pushes.ts'
import { stubStanding, usual } from './standing.ts'
import { mirror } from './stated/stated.ts'

test.use({ begins: 'outside' })

const isDark = /\bdark\b/
const html = (page: Page): Locator => page.locator('html')
const savedTheme = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('vite-ui-theme'))
const choose = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: /^Account of|അക്കൗണ്ട്$/ }).click()
  await page.getByRole('menuitemradio', { name, exact: true }).click()
}
const themeCalls = (calls: readonly string[]): string[] => calls.filter((call) => call.startsWith('theme.'))

test.describe('theme', () => {
  test('without a saved choice the desktop is asked and keeps its own; a choice is passed on, saved, and passed on again at the next start', { tag: '@nightly' }, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    const desktop = await offerDesktop(page)
    await signUp(page)
    await expect(html(page)).toHaveClass(isDark)
    expect(desktop.calls.slice(0, 2)).toEqual(['theme.current', 'shell.speak "en"'])
    expect([desktop.mode, await savedTheme(page)]).toEqual(['dark', null])

    await desktop.change('light')
    await expect(html(page)).not.toHaveClass(isDark)
    await desktop.change('dark')
    await expect(html(page)).toHaveClass(isDark)

    await choose(page, 'Light')
    await expect(html(page)).not.toHaveClass(isDark)
    expect([desktop.mode, await savedTheme(page)]).toEqual(['light', 'light'])
    await desktop.change('dark')
    await expect(html(page)).not.toHaveClass(isDark)

    await choose(page, 'System')
    await expect(html(page)).toHaveClass(isDark)
    expect([desktop.mode, await savedTheme(page)]).toEqual(['system', 'system'])

    // A desktop that lost its file starts dark again, and receives what was chosen here.
    for (const [saved, system, dark] of [['light', 'dark', false], ['dark', 'light', true], ['system', 'light', false], ['system', 'dark', true]] as const) {
      await page.evaluate((mode) => { localStorage.setItem('vite-ui-theme', mode) }, saved)
      Object.assign(desktop, { mode: 'dark', system })
      desktop.calls.length = 0
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
      expect(themeCalls(desktop.calls)).toEqual([`theme.set "${saved}"`])
      await expect(html(page)).toHaveClass(dark ? isDark : /^(?!.*\bdark\b)/)
    }
  })

  for (const answers of ['never', 'refusing'] as const) {
    test(`a desktop that answers ${answers === 'never' ? 'nothing' : 'with refusals'} holds up neither page nor choice`, { tag: '@nightly' }, async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      const desktop = await offerDesktop(page)
      desktop.answers = answers
      const broken: string[] = []
      page.on('pageerror', ({ message }) => broken.push(message))
      await signUp(page)
      await expect(html(page)).toHaveClass(isDark)
      await choose(page, 'Light')
      await expect(html(page)).not.toHaveClass(isDark)
      await choose(page, 'System')
      await expect(html(page)).toHaveClass(isDark)
      await choose(page, 'മലയാളം')
      await expect(html(page)).toHaveAttribute('lang', 'ml-IN')
      expect(broken).toEqual([])
    })
  }
})

test('the desktop hears the language of the page at its start and when it changes', { tag: '@nightly' }, async ({ page }) => {
  const desktop = await offerDesktop(page)
  await signUp(page)
  const spoken = (): string[] => desktop.calls.filter((call) => call.startsWith('shell.speak'))
  expect(new Set(spoken())).toEqual(new Set(['shell.speak "en"']))
  desktop.calls.length = 0
  await choose(page, 'മലയാളം')
  await expect.poll(spoken).toEqual(['shell.speak "ml-IND"'])
  desktop.calls.length = 0
  await page.reload()
  await expect.poll(spoken).toEqual(['shell.speak "ml-IND"'])
})

test.describe('Settings, This computer', () => {
  const section = '/dashboard/Settings?section=computer'
  const tab = (page: Page): Locator => page.getByRole('tab', { name: 'This computer' })
  const starts = (page: Page): Locator => page.getByRole('switch', { name: 'Start when you sign in' })
  const stays = (page: Page): Locator => page.getByRole('switch', { name: 'Stay in the tray when the window closes' })

  test('is not there in a browser', { tag: '@nightly' }, async ({ page }) => {
    await signUp(page)
    await goTo(page, section)
    await expect(page.getByRole('tab', { name: 'Commissions' })).toHaveAttribute('aria-selected', 'true')
    await expect(tab(page)).toHaveCount(0)
  })

  test('says what the desktop does, changes it at once, and leads to Diagnostics', { tag: '@nightly' }, async ({ page }) => {
    const desktop = await offerDesktop(page)
    await signUp(page)
    await goTo(page, section)
    await expect(tab(page)).toHaveAttribute('aria-selected', 'true')
    await expect(starts(page)).not.toBeChecked()
    await expect(stays(page)).toBeChecked()
    await expectAccessible(page)

    await stays(page).focus()
    await page.keyboard.press('Space')
    await expect(stays(page)).not.toBeChecked()
    await expect(stays(page)).toBeFocused()
    await page.getByText('Start when you sign in').click()
    await expect(starts(page)).toBeChecked()
    expect(desktop.settings).toEqual({ startsWithSystem: true, staysInTray: false })

    desktop.answers = 'refusing'
    await stays(page).click()
    await expect(page.getByRole('alert')).toHaveText('The setting was not changed. Try again.')
    await expect(stays(page)).not.toBeChecked()
    await expectAccessible(page)
    desktop.answers = 'always'
    await page.getByRole('button', { name: 'Open Diagnostics' }).click()
    await expect.poll(() => desktop.calls.at(-1)).toBe('shell.openDiagnostics')

    // Where the system offers no way, and where it was changed behind the page.
    desktop.settings = { startsWithSystem: null, staysInTray: true }
    await page.evaluate(() => { document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) })
    await expect(stays(page)).toBeChecked()
    await expect(starts(page)).toHaveCount(0)
  })
})

test.describe('a payment that the system browser came back from', () => {
  const paid = { type: 'came-back', to: 'checkout', payment: 'success', sessionId: 'cs_1' } as const
  const note = (page: Page, text: string | RegExp): Locator => page.getByRole('status').getByText(text)
  const onPlans = /#\/dashboard\/ManageSubscription$/

  test('shows on the page of the plans; elsewhere a toast leads there, and what is being typed stays', { tag: '@nightly' }, async ({ page }) => {
    await stubStanding(page, () => ({ subscription: usual }))
    const asked: unknown[] = []
    await page.route('**/api/stripe/payments', (route) => {
      const body = route.request().postDataJSON() as { action: string; sessionId?: string }
      if (body.action !== 'check-subscription') return route.fallback()
      asked.push(body.sessionId)
      return route.fulfill({ json: { success: true, active: true } })
    })
    await offerDesktop(page)
    const push = await takePushes(page)
    await signUp(page)
    await goTo(page, '/dashboard/TradeLogbook')
    await page.getByRole('button', { name: 'Add trade' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add trade' })
    await dialog.getByLabel('Contract', { exact: true }).fill('MESZ6')
    await push(paid)
    const toast = page.getByRole('listitem').filter({ hasText: 'Back from the payment page' })
    await expect(dialog.getByLabel('Contract', { exact: true })).toHaveValue('MESZ6')
    // Now, and not once a toast has timed out.
    expect(await page.getByText('Back from the payment page').count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect(toast).toBeVisible()
    await expect(page).toHaveURL(/#\/dashboard\/TradeLogbook$/)
    expect(asked).toEqual([])
    await toast.getByRole('button', { name: 'See plans' }).click()
    await expect(note(page, 'Payment confirmed. Your plan is active.')).toBeVisible()
    await expect(page).toHaveURL(onPlans)
    expect(asked).toEqual(['cs_1'])

    await push({ ...paid, payment: 'cancelled', sessionId: null })
    await expect(note(page, 'You canceled the checkout. Nothing was charged.')).toBeVisible()
    await expect(page).toHaveURL(onPlans)
    await push({ ...paid, to: 'portal', payment: 'changed', sessionId: null })
    await expect(note(page, 'Changes from the payment page appear here once they are confirmed.')).toBeVisible()
    await push({ ...paid, payment: null, sessionId: null })
    await expect(note(page, /./)).toHaveCount(0)
    await push({ ...paid, sessionId: 'cs_2' })
    await expect(note(page, 'Payment confirmed. Your plan is active.')).toBeVisible()
    expect(asked).toEqual(['cs_1', 'cs_2'])
  })

  test('does not concern a browser, whose windows return on their own', { tag: '@nightly' }, async ({ page }) => {
    await stubStanding(page, () => ({ subscription: usual }))
    const push = await takePushes(page)
    await signUp(page)
    for (const [path, shows] of [['/dashboard', 'Offline'], ['/dashboard/ManageSubscription', 'Refused']] as const) {
      await goTo(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await push(paid)
      await push({ type: 'mirror-changed', mirror: mirror({ state: shows === 'Offline' ? 'offline' : 'refused' }) })
      // Heard in this order.
      await expect(page.getByRole('button', { name: shows })).toBeVisible()
      expect(await page.getByText('Back from the payment page').count()).toBe(0)
      expect(new URL(page.url()).hash).toBe(`#${path}`)
    }
  })
})

test('what is downloaded comes from the app itself, under a name of its own, and the page stays', { tag: '@nightly' }, async ({ page, app }) => {
  await offerDesktop(page)
  await signUp(page)
  await goTo(page, '/dashboard/Settings?section=journal')
  for (const [link, name] of [['Export everything', /^fillbook-[\d-]+\.fillbook$/], ['Export trades', /\.csv$/]] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()])
    expect(new URL(download.url()).origin).toBe(app.origin)
    expect(download.suggestedFilename()).toMatch(name)
    expect(await download.failure()).toBeNull()
  }
  await expect(page).toHaveURL(/section=journal$/)
})

test('spelling is checked in notes and headlines, in the language of the page, and in no other field', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const fields = (within: Locator): Promise<string[]> =>
    within.locator('input:not([type=file]), textarea').evaluateAll((all) => (all as HTMLInputElement[]).map(({ labels, spellcheck, lang }) => `${labels?.[0]?.textContent ?? ''}: ${spellcheck ? lang : 'off'}`))
  for (const [language, tag, words] of [['മലയാളം', 'ml-IN', malayalam], ['English', 'en', english]] as const) {
    await choose(page, language)
    await goTo(page, '/dashboard/TradeLogbook')
    await page.getByRole('main').getByRole('button', { name: words.add }).first().click()
    await expect(page.getByRole('dialog').getByLabel(words.notes)).toBeVisible()
    const described = await fields(page.getByRole('dialog'))
    expect(described.length).toBeGreaterThan(8)
    expect(described.filter((field) => !field.endsWith(': off'))).toEqual([words.notes, words.headline.screenshot, words.headline.screenshot2].map((name) => `${name}: ${tag}`))
    await page.keyboard.press('Escape')
    expect(new Set((await fields(page.getByRole('main'))).map((field) => field.split(': ').at(-1)))).toEqual(new Set(['off']))
  }
})

test("the page uses no shortcut of the desktop's menu", { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const taken = (): Promise<string[]> =>
    page.evaluate(() => {
      const withControl = ['r', '+', '=', '-', '0', 'q', 'w', 'o', ',', '[', ']', 'a', 'c', 'v', 'x', 'z'].flatMap((key) => [{ key, ctrlKey: true }, { key, metaKey: true }])
      const keys: KeyboardEventInit[] = [...withControl, { key: 'S', ctrlKey: true, shiftKey: true }, { key: 'ArrowLeft', altKey: true }, { key: 'ArrowRight', altKey: true }, { key: 'F11' }]
      const target = document.activeElement ?? document.body
      return keys.filter((key) => !target.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))).map(({ key }) => key ?? '')
    })
  for (const path of ['', '/TradeLogbook', '/Reconciliation', '/Operational', '/AutoSync', '/Import', '/Settings', '/ManageSubscription']) {
    await goTo(page, `/dashboard${path}`)
    await expect(page.getByRole('main')).toBeVisible()
    expect(await taken()).toEqual([])
  }
  await goTo(page, '/dashboard/TradeLogbook')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox').first()).toBeFocused()
  expect(await taken()).toEqual([])
})
