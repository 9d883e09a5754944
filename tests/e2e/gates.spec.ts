import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { historyRoutes } from '#shared/api/history.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { gatedPages, type GatedPage } from '#shared/plans/plan.ts'
import { isOpen, planTable } from '#tests/helpers/plan-table.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { expectAccessible, goTo, signUp, test as base } from './app-test.ts'
import { expectForEverybody, expectMagnified } from './for-everybody.ts'
import { paidFor, stubStanding, usual, type StatedStanding } from './standing.ts'

type Access = 'open' | 'closed' | 'admin' | 'subscriber'

/** Tests in the demo profile, which may what `access` says. */
const test = base.extend<{ access: Access }>({
  access: ['closed', { option: true }],
  app: async ({ dataDir, access }, use) => {
    const app = await startApp({ dataDir, env: { FILLBOOK_DEMO_ACCESS: access, FILLBOOK_TIMEZONE: 'UTC' } })
    await use(app)
    await app.stop()
  },
})

const pages = Object.keys(gatedPages) as GatedPage[]
const badges = { autosync: 'AutoSync or Trade Copier', tradecopier: 'Trade Copier' } as const
const gate = (page: Page): Locator => page.getByRole('dialog', { name: 'Subscription Required' })
/** The content of an open gated page; a failed check names its page only for screen readers. */
const inside = (page: Page, name: GatedPage): Locator => page.getByRole('heading', { name, exact: true }).and(page.locator(':not(.sr-only)'))

const enterDemo = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
}
/** How the browser writes a color of the theme. */
const colorOf = (page: Page, token: string): Promise<string> =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(--${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, token)
const load = async (page: Page, path: string): Promise<void> => {
  await goTo(page, path)
  await page.reload()
}

test.describe('in the demo', () => {
  test('closed gates show what is needed, and nothing of their page runs', { tag: '@nightly' }, async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await enterDemo(page)
    for (const name of pages) {
      await goTo(page, `/dashboard/${name}`)
      await expect(gate(page)).toBeVisible()
      await expect(gate(page).getByText(badges[gatedPages[name]], { exact: true })).toBeVisible()
      await expect(gate(page)).toHaveAccessibleDescription(new RegExp(badges[gatedPages[name]]))
      await expect(inside(page, name)).toHaveCount(0)
      await goTo(page, '/dashboard')
      await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    }
    await goTo(page, '/dashboard/TradeCopier')
    await expect(gate(page)).toBeVisible()
    await expectForEverybody(page)
    await expectMagnified(page)
    expect(asked).toContain('/api/firestore-all-subscription')
    expect(asked).not.toContain(historyRoutes.history.path)
    expect(asked.filter((path) => path.includes('/auto-sync-page'))).toEqual([])
  })

  test('a closed gate can be left only by its own buttons', { tag: '@nightly' }, async ({ page }) => {
    await enterDemo(page)
    await goTo(page, '/dashboard/TradeLogbook')
    await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
    await goTo(page, '/dashboard/PositionScanner')
    await expect(gate(page)).toBeVisible()
    const goBack = gate(page).getByRole('button', { name: 'Go Back' })
    const plans = gate(page).getByRole('link', { name: 'See plans' })
    await expect(gate(page).getByRole('button')).toHaveText(['Go Back'])
    await expect(page.locator('main [inert]')).toHaveCSS('filter', /^blur\(/)

    await page.keyboard.press('Escape')
    await page.mouse.click(720, 20)
    // Through the veil, onto the way to another page.
    const link = await page.locator('a[href="#/dashboard/Import"]').boundingBox()
    if (link === null) throw new Error('The sidebar shows')
    await page.mouse.click(link.x + 20, link.y + 10)
    await expect(gate(page)).toBeVisible()
    await expect(page).toHaveURL(/PositionScanner$/)

    await expect(goBack).toBeFocused()
    for (const next of [plans, goBack, plans]) {
      await page.keyboard.press('Tab')
      await expect(next).toBeFocused()
    }
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/TradeLogbook$/)
    await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
    await expect(gate(page)).toHaveCount(0)
  })

  test('Go Back without a page before leads to the dashboard, and the other way to the plans', { tag: '@nightly' }, async ({ page, context }) => {
    await enterDemo(page)
    const first = await context.newPage()
    await first.goto(`${new URL(page.url()).origin}/#/dashboard/tradecopier`)
    await gate(first).getByRole('button', { name: 'Go Back' }).click()
    await expect(first).toHaveURL(/#\/dashboard$/)
    await expect(first.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await goTo(first, '/dashboard/TradeCopier')
    await gate(first).getByRole('link', { name: 'See plans' }).click()
    await expect(first.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()
  })

  test('particles drift behind a closed gate, and stand still where less motion is preferred', { tag: '@nightly' }, async ({ page }) => {
    await enterDemo(page)
    await goTo(page, '/dashboard/TradeCopier')
    await expect(gate(page)).toBeVisible()
    const drawn = (): Promise<string> => page.getByTestId('particles').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    const moves = async (): Promise<boolean> => {
      const before = await drawn()
      // Twenty frames: what moves has moved by then.
      await page.evaluate(() => new Promise<void>((done) => {
        const wait = (frames: number): void => void requestAnimationFrame(() => { if (frames === 0) done(); else wait(frames - 1) })
        wait(20)
      }))
      return before !== (await drawn())
    }
    expect(await moves()).toBe(true)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await moves()).toBe(false)
    expect(await page.getByTestId('particles').evaluate((canvas: HTMLCanvasElement) => canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part !== 0))).toBe(true)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moves()).toBe(true)
  })

  test('a call that needs a plan says so, with a link to the plans', { tag: '@nightly' }, async ({ page }) => {
    await enterDemo(page)
    await page.getByRole('button', { name: 'Sync Trades' }).click()
    const notice = page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: 'Your plan does not include this.' })
    await expect(notice.first()).toBeVisible()
    await page.getByRole('button', { name: 'See plans' }).click()
    await expect(page.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()
  })
})

for (const access of ['open', 'admin'] as const) {
  test.describe(`in the demo, ${access}`, () => {
    test.use({ access })
    test('every page is open and marked as demo', { tag: '@nightly' }, async ({ page }) => {
      await enterDemo(page)
      for (const name of pages) {
        await goTo(page, `/dashboard/${name}`)
        await expect(inside(page, name)).toBeVisible()
        await expect(page.getByRole('complementary').getByText('Demo', { exact: true })).toBeVisible()
      }
      await goTo(page, '/dashboard/ManageSubscription')
      await expect(page.getByRole('button', { name: 'Coming Soon' })).toHaveCount(4)
    })
  })
}

test.describe('in the demo, subscriber', () => {
  test.use({ access: 'subscriber' })
  test('the buttons work, and the demo sells nothing', { tag: '@nightly' }, async ({ page }) => {
    await enterDemo(page)
    await goTo(page, '/dashboard/TradeCopier')
    await expect(gate(page)).toBeVisible()
    await gate(page).getByRole('link', { name: 'See plans' }).click()
    await page.getByRole('button', { name: 'Subscribe to Trade Copier II', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Failed to create checkout session')
    await expectAccessible(page)

    // An answer without an address is a failure as well; and of one that never came there is no text but ours.
    const answers = [{ url: '' }, null]
    await page.route('**/api/stripe/payments', (route) => {
      if ((route.request().postDataJSON() as { action: string }).action !== 'create-checkout-session') return route.fallback()
      const json = answers.shift()
      return json ? route.fulfill({ json }) : route.abort()
    })
    for (const [plan, text] of [['Trade Copier I', 'Failed to create checkout session'], ['AutoSync', 'Failed to start subscription process']] as const) {
      await page.getByRole('button', { name: `Subscribe to ${plan}`, exact: true }).click()
      await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
    }
  })
})

test.describe('a user with a profile', () => {
  test('first a spinner over the whole window, then the logo for a second, and neither again', { tag: '@nightly' }, async ({ page }) => {
    let stated: StatedStanding = { subscription: usual }
    await stubStanding(page, () => stated)
    await signUp(page)
    let answer: () => void = () => undefined
    const held = new Promise<void>((done) => { answer = done })
    await page.route('**/api/firestore-all-subscription*', async (route) => {
      await held
      await route.fallback()
    })
    await page.clock.install()
    await load(page, '/dashboard/AIreport')
    const spinner = page.locator('.animate-spin')
    // The one of the session gives way to that of the check.
    await expect.poll(() => page.getByRole('status').filter({ has: spinner }).boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 900 })
    await page.clock.pauseAt(Date.now() + 60_000)
    answer()
    const logo = page.getByRole('main').getByRole('status').getByText('Fillbook')
    await expect(async () => {
      await page.clock.runFor(5)
      await expect(logo).toBeVisible({ timeout: 100 })
    }).toPass()
    await expect(spinner).toHaveCount(0)
    await page.clock.runFor(980)
    await expect(logo).toBeVisible()
    await expect(gate(page)).toHaveCount(0)
    await page.clock.runFor(20)
    await expect(gate(page)).toBeVisible()
    await expect(logo).toHaveCount(0)

    // Known from then on, whatever comes of it.
    await page.clock.resume()
    await page.getByRole('button', { name: 'Go Back' }).click()
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    stated = { subscription: paidFor('autosync') }
    await page.clock.fastForward(60_000)
    await goTo(page, '/dashboard/AIreport')
    await expect(gate(page)).toBeVisible()
    await expect(inside(page, 'AIreport')).toBeVisible()
    await expect(gate(page)).toHaveCount(0)
  })

  test('the screen shows for every row of the table the result of its two checks', { tag: '@nightly' }, async ({ page }) => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    let stated: StatedStanding = { subscription: usual }
    await stubStanding(page, () => stated)
    await page.clock.setFixedTime(now)
    await signUp(page)
    // The logos stand once.
    for (const name of ['AIreport', 'TradeCopier'] as const) {
      await goTo(page, `/dashboard/${name}`)
      await expect(gate(page)).toBeVisible()
    }
    const rows = planTable(now)
    expect(rows.length).toBeGreaterThan(40)
    for (const [index, row] of rows.entries()) {
      await test.step(row.name, async () => {
        const failed = row.asked.kind === 'failed' ? row.asked.message : undefined
        // A moment of its own, which the page shows where it is long ago, says that the row has arrived.
        const moment = new Date(now - 6 * 3_600_000 - index * 60_000)
        stated = { subscription: row.asked.kind === 'found' ? row.asked.subscription : null, role: row.role, details: row.details, verifiedAt: moment.toISOString(), ...(failed === undefined ? {} : { failed }) }
        await goTo(page, '/dashboard/ManageSubscription')
        await expect(page.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
        // Without a cloud the admin runs the program, and there is no one to buy from.
        const arrived = row.role.admin ? 'No cloud is configured on this computer' : `Last confirmed ${moment.toISOString().slice(11, 16)}.`
        if (failed === undefined) await expect(page.getByText(arrived)).toBeVisible()
        else await expect(page.getByRole('alert')).toHaveText(failed)
        for (const name of ['AIreport', 'TradeCopier'] as const) {
          await goTo(page, `/dashboard/${name}`)
          await expect(failed !== undefined ? page.getByText(failed, { exact: true }) : isOpen(row, gatedPages[name]) ? inside(page, name) : gate(page)).toBeVisible()
        }
      })
    }
  })

  const refuse = (status: number, error: string, code = 'internal') => ({ status, json: { success: false, code, error } })
  test('a failed check shows its text in place of the page, and can be retried', { tag: '@nightly' }, async ({ page }) => {
    const stated: { now: StatedStanding } = { now: { subscription: null } }
    await stubStanding(page, () => stated.now)
    await signUp(page)
    const failed = page.getByRole('main').getByRole('alert')
    const expectFailed = async (text: string): Promise<void> => {
      await load(page, '/dashboard/TradeCopier')
      await expect(failed).toHaveText(text)
      await expect(inside(page, 'TradeCopier')).toHaveCount(0)
      await expect(gate(page)).toHaveCount(0)
    }
    // Those of the program's own refusals are not tried again.
    await page.route('**/api/firestore-all-subscription*', (route) => (route.request().method() === 'POST' ? route.fulfill(refuse(403, 'Failed to create default subscription', 'not-this-user')) : route.fallback()))
    await expectFailed('Failed to create default subscription')
    await expect(failed).toHaveCSS('color', await colorOf(page, 'loss'))
    const [text, main] = await Promise.all([failed.boundingBox(), page.getByRole('main').boundingBox()])
    expect((text?.x ?? 0) + (text?.width ?? 0) / 2).toBeCloseTo((main?.x ?? 0) + (main?.width ?? 0) / 2, 0)
    await expectAccessible(page)
    await page.route('**/api/firestore-save-subscription', (route) => route.fulfill(refuse(400, 'Failed to save subscription', 'read-only-field')))
    stated.now = { subscription: { ...paidFor('tradecopier'), cancelAtPeriodEnd: true, currentPeriodEnd: '2026-01-31T00:00:00Z' } }
    await expectFailed('Failed to save subscription')
    await page.route('**/api/firestore-all-subscription*', (route) => route.fulfill(refuse(403, 'Failed to fetch or create subscription', 'not-this-user')))
    await expectFailed('Failed to fetch or create subscription')
    await page.route('**/api/firestore-all-subscription*', (route) => route.fulfill({ json: { subscription: { ...paidFor('tradecopier'), cancelAtPeriodEnd: true, currentPeriodEnd: 'soon' }, role: { admin: false, subscriber: false }, verifiedAt: null } }))
    await page.clock.install()
    await load(page, '/dashboard/TradeCopier')
    for (const again of [1_000, 2_000, 4_000, 1_000]) await page.clock.runFor(again)
    await expect(failed).toHaveText('Subscription check failed')

    // Other pages want a signed-in user only.
    await goTo(page, '/dashboard/TradeLogbook')
    await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
    await page.unrouteAll()
    stated.now = { subscription: paidFor('tradecopier') }
    await stubStanding(page, () => stated.now)
    await goTo(page, '/dashboard/TradeCopier')
    await expect(inside(page, 'TradeCopier')).toBeVisible()
  })

  test('a failed check says so at once, before any retry: whether the program reports a failure or does not answer', { tag: '@nightly' }, async ({ page }) => {
    await signUp(page)
    for (const fail of [(route: Route) => route.fulfill(refuse(500, 'Failed to fetch or create subscription')), (route: Route) => route.abort()]) {
      // No page from which an earlier question might still come.
      await page.goto(new URL('/favicon.svg', page.url()).href)
      let tries = 0
      // Whatever is tried after the first stays without an answer.
      await page.route('**/api/firestore-all-subscription*', (route) => {
        tries += 1
        return tries === 1 ? fail(route) : undefined
      })
      await goTo(page, '/dashboard/TradeCopier')
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to fetch or create subscription')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  test("an unreachable program shows the check's text, and does not close an open page", { tag: '@nightly' }, async ({ page }) => {
    await stubStanding(page, () => ({ subscription: paidFor('autosync') }))
    await page.clock.install()
    await signUp(page)
    await goTo(page, '/dashboard/AIreport')
    await expect(inside(page, 'AIreport')).toBeVisible()
    let tries = 0
    await page.route('**/api/firestore-all-subscription*', (route) => {
      tries += 1
      return route.abort()
    })
    await page.clock.fastForward(3_600_000)
    for (const failed of [1, 2, 3, 4]) {
      await expect.poll(() => tries).toBe(failed)
      await page.clock.runFor(4_000)
    }
    await expect(inside(page, 'AIreport')).toBeVisible()
    await page.reload()
    for (const pause of [1_000, 2_000, 4_000, 2_000]) await page.clock.runFor(pause)
    await expect(page.getByText('Failed to fetch or create subscription', { exact: true })).toBeVisible()
  })

  test('a canceled plan closes its pages when its period ends, and the server is notified', { tag: '@nightly' }, async ({ page }) => {
    const ends = Date.now() + 3 * 60_000
    let cloudClock = Date.now()
    const { sent } = await stubStanding(page, () => ({ subscription: { ...paidFor('tradecopier'), stripeCustomerId: undefined, cancelAtPeriodEnd: true, currentPeriodEnd: new Date(ends).toISOString() }, verifiedAt: new Date(cloudClock).toISOString() }))
    await page.clock.install()
    await signUp(page)
    await goTo(page, '/dashboard/TradeCopier')
    await expect(inside(page, 'TradeCopier')).toBeVisible()
    expect(sent).toEqual([])
    cloudClock = ends
    await page.clock.fastForward(3 * 60_000 + 2_000)
    await expect(gate(page)).toBeVisible()
    expect(sent).toEqual([{ userId: expect.any(String), subscription: expect.objectContaining({ hasSubscription: false, subscriptionStatus: 'expired' }) }])
  })

  test('a call refused without a plan closes its page', { tag: '@nightly' }, async ({ page }) => {
    let stated: StatedStanding = { subscription: paidFor('autosync') }
    await stubStanding(page, () => stated)
    await signUp(page)
    await goTo(page, '/dashboard/AutoSync')
    await expect(inside(page, 'AutoSync')).toBeVisible()
    await page.route(`**${syncRoutes.syncNow.path}`, (route) => (route.request().method() === 'POST' ? route.fulfill(refuse(402, 'plan-needed', 'plan-needed')) : route.fallback()))
    stated = { subscription: { ...paidFor('autosync'), paymentStatus: 'unpaid' } }
    await page.getByRole('button', { name: 'Sync Trades' }).click()
    await expect(gate(page)).toBeVisible()
    await expect(inside(page, 'AutoSync')).toHaveCount(0)
  })
})
