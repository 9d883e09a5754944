import { expect, type Locator, type Page } from '@playwright/test'
import { webhookPath } from '#shared/api/cloud.ts'
import { devUserId, startCloud, type RunningCloud } from '#tests/helpers/cloud.ts'
import { startPostgres, type PostgresServer } from '#tests/helpers/postgres.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { startStripe, type StripeStandIn } from '#tests/helpers/stripe/stripe.ts'
import { expectAccessible, goTo, signUp, test as base } from './app-test.ts'
import { offerDesktop } from './desktop-bridge.ts'

const buyer = 'buyer@example.com'

/** Tests against the real program, a real cloud on PostgreSQL with the payment provider's SDK, and a stand-in of that provider; `buyer` is the one who may buy. */
const test = base.extend<{ stripe: StripeStandIn; cloud: RunningCloud }, { postgres: PostgresServer }>({
  postgres: [
    async ({}, use) => {
      const postgres = await startPostgres()
      await use(postgres)
      await postgres.stop()
    },
    { scope: 'worker' },
  ],
  stripe: async ({}, use) => {
    const stripe = await startStripe()
    await use(stripe)
    await stripe.stop()
  },
  cloud: async ({ postgres, stripe }, use) => {
    const cloud = await startCloud({ databaseUrl: await postgres.newDatabase(), env: { ...stripe.env, FILLBOOK_CLOUD_SUBSCRIBER_USER_ID: devUserId(buyer) } })
    stripe.post.sendTo(`${cloud.url}${webhookPath}`)
    await use(cloud)
    await cloud.stop()
  },
  app: async ({ dataDir, cloud }, use) => {
    const app = await startApp({ dataDir, env: { FILLBOOK_CLOUD_URL: cloud.url, FILLBOOK_TIMEZONE: 'UTC' } })
    await use(app)
    await app.stop()
  },
})

const plans = '/dashboard/ManageSubscription'
const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const yourPlan = (page: Page): Locator => card(page, 'Your plan')
const subscribe = (page: Page, to: string): Locator => page.getByRole('button', { name: `Subscribe to ${to}`, exact: true })
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
const gate = (page: Page): Locator => page.getByRole('dialog', { name: 'Subscription Required' })
const note = (page: Page, text: string): Locator => page.getByRole('status').getByText(text, { exact: true })
const paid = 'Payment confirmed. Your plan is active.'

const expectGate = async (page: Page, name: 'AIreport' | 'TradeCopier', open: boolean): Promise<void> => {
  await goTo(page, `/dashboard/${name}`)
  await expect(open ? page.getByRole('heading', { name, exact: true }) : gate(page)).toBeVisible()
}
/** Begins a checkout and waits for the provider's page. */
const goToCheckout = async (page: Page, to: string): Promise<void> => {
  await goTo(page, plans)
  await subscribe(page, to).click()
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
}
const expectBack = (page: Page): Promise<void> => expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/dashboard\/ManageSubscription$/)
/** Buys a plan from the first button to the note of success. */
const buy = async (page: Page, to: string): Promise<void> => {
  await goToCheckout(page, to)
  await press(page, 'Pay')
  await expect(note(page, paid)).toBeVisible()
  await expectBack(page)
}
const delivered = (stripe: StripeStandIn): number[] => stripe.post.messages().flatMap(({ statuses }) => statuses)
const theOne = ({ books }: StripeStandIn): string => {
  const [first, ...more] = [...books.subscriptions.keys()]
  if (first === undefined || more.length > 0) throw new Error('There is to be one subscription')
  return first
}

test('a plan is bought: gate, cards, checkout, and the return, before any message of the provider has come', async ({ page, stripe }) => {
  stripe.post.hold()
  await signUp(page, buyer)
  await expectGate(page, 'TradeCopier', false)
  await gate(page).getByRole('link', { name: 'See plans' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Your plan', 'AutoSync', 'Trade Copier I & AutoSync', 'Trade Copier II & AutoSync', 'Trade Copier III & AutoSync'])
  for (const [name, price, mark, button] of [
    ['AutoSync', '€12', null, 'Subscribe to AutoSync'],
    ['Trade Copier I & AutoSync', '€29', null, 'Subscribe to Trade Copier I'],
    ['Trade Copier II & AutoSync', '€49', 'Recommended', 'Subscribe to Trade Copier II'],
    ['Trade Copier III & AutoSync', '€79', 'Professional', 'Subscribe to Trade Copier III'],
  ] as const) {
    await expect(card(page, name).getByText(price, { exact: true })).toBeVisible()
    await expect(card(page, name).getByText(/^(Recommended|Professional)$/)).toHaveText(mark === null ? [] : [mark])
    await expect(card(page, name).getByRole('button')).toHaveText(button)
  }
  for (const accounts of [10, 20, 50]) await expect(page.getByText(`Trades copied to up to ${String(accounts)} accounts`)).toBeVisible()
  await expectAccessible(page)

  await buy(page, 'Trade Copier I')
  expect(delivered(stripe)).toEqual([])
  await expect(yourPlan(page)).toContainText(/Trade Copier I & AutoSync\s*Renews on /)
  await expect(card(page, 'Trade Copier I & AutoSync').getByRole('button')).toHaveText('Current plan')
  await expect(card(page, 'AutoSync').getByRole('button')).toHaveText('Already have Trade Copier')
  await expect(card(page, 'AutoSync').getByRole('button')).toBeDisabled()
  await expectAccessible(page)
  await expectGate(page, 'TradeCopier', true)
  await expectGate(page, 'AIreport', true)

  // The messages come last, and then all once more.
  await stripe.post.release()
  for (const message of stripe.post.messages()) await stripe.post.deliver(message)
  expect(new Set(delivered(stripe))).toEqual(new Set([200]))
  await goTo(page, plans)
  await page.reload()
  await expect(yourPlan(page)).toContainText(/Trade Copier I & AutoSync\s*Renews on /)
  await expectGate(page, 'TradeCopier', true)
})

test('a window that is closed after paying loses nothing, and its return may still come', { tag: '@nightly' }, async ({ page, stripe }) => {
  await signUp(page, buyer)
  await goToCheckout(page, 'AutoSync')
  const checkout = page.url()
  await page.goBack()
  await expect(subscribe(page, 'AutoSync')).toBeEnabled()
  const back = await stripe.press(checkout, 'pay')
  await stripe.post.settled()
  expect(new Set(delivered(stripe))).toEqual(new Set([200]))
  await page.reload()
  await expect(yourPlan(page)).toContainText(/AutoSync\s*Renews on /)
  await expectGate(page, 'AIreport', true)
  await expectGate(page, 'TradeCopier', false)
  await page.goto(back ?? '')
  await expect(note(page, paid)).toBeVisible()
  await expectBack(page)
})

test('on the desktop the checkout opens beside the app, which stays and shows what was paid once a browser came back', { tag: '@nightly' }, async ({ page, stripe, browser }) => {
  await offerDesktop(page)
  await signUp(page, buyer)
  await goTo(page, plans)
  const beside = page.context().waitForEvent('page')
  await subscribe(page, 'AutoSync').click()
  const checkout = await beside
  await expect(checkout.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  const elsewhere = page.getByText('The payment page is open in your browser. Come back here when you are done.')
  await expect(elsewhere).toBeVisible()
  await expect(subscribe(page, 'AutoSync')).toBeEnabled()
  await expectBack(page)

  const back = await stripe.press(checkout.url(), 'pay')
  await checkout.close()
  // The system's browser has no session of the app's.
  const lent = await browser.newContext()
  const returned = await lent.newPage()
  await returned.goto(back ?? '')
  await expect(returned.getByText('You can close this window')).toBeVisible()
  await expect(note(page, paid)).toBeVisible()
  await expect(elsewhere).toHaveCount(0)
  await expectBack(page)
  await expect(yourPlan(page)).toContainText(/AutoSync\s*Renews on /)
  await lent.close()
})

test('a checkout that is left, and a card that is declined, change nothing', { tag: '@nightly' }, async ({ page, stripe }) => {
  await signUp(page, buyer)
  await goToCheckout(page, 'Trade Copier III')
  await press(page, 'Pay with a declined card')
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(note(page, 'You canceled the checkout. Nothing was charged.')).toBeVisible()
  await expectBack(page)
  await expect(subscribe(page, 'Trade Copier III')).toBeEnabled()
  expect(stripe.books.subscriptions.size).toBe(0)
})

test('a payment that is not there yet is looked for until it is', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page, buyer)
  let looks = 0
  await page.route('**/api/stripe/payments', (route) => {
    const { action } = route.request().postDataJSON() as { action: string }
    if (action !== 'check-subscription' || (looks += 1) > 2) return route.fallback()
    return route.fulfill({ json: { active: false, subscriptionType: null, stripeCustomerId: null } })
  })
  await goToCheckout(page, 'AutoSync')
  await press(page, 'Pay')
  await expect(note(page, 'Confirming your payment. This takes a moment.')).toBeVisible()
  await expect(page).toHaveURL(/payment=success&session_id=cs_test/)
  await expect(note(page, paid)).toBeVisible()
  await expectBack(page)
  expect(looks).toBe(3)
})

test('a plan that is canceled runs to its end, says when that is, and then closes', { tag: '@nightly' }, async ({ page, stripe }) => {
  await signUp(page, buyer)
  await buy(page, 'Trade Copier II')
  await press(page, 'Manage invoices and payment')
  await expect(page.getByRole('heading', { name: 'Your subscription' })).toBeVisible()
  await press(page, 'Cancel plan')
  await expect(page.getByText('ends with its period')).toBeVisible()
  await stripe.post.settled()
  await page.getByRole('link', { name: 'Return' }).click()
  await expect(yourPlan(page)).toContainText(/Trade Copier II & AutoSync\s*Ends on /)
  await expectGate(page, 'TradeCopier', true)

  stripe.books.passPeriod(theOne(stripe))
  await stripe.post.settled()
  await goTo(page, plans)
  await page.reload()
  await expect(yourPlan(page)).toContainText('Your plan ended. Choose one below to continue.')
  await expect(subscribe(page, 'Trade Copier II')).toBeEnabled()
  await expectGate(page, 'TradeCopier', false)
  await expectGate(page, 'AIreport', false)
})

test('a change of plan is confirmed on the provider\'s page and makes no second subscription', { tag: '@nightly' }, async ({ page, stripe }) => {
  await signUp(page, buyer)
  await buy(page, 'AutoSync')
  await subscribe(page, 'Trade Copier II').click()
  await expect(page.getByRole('heading', { name: 'Confirm your new plan' })).toBeVisible()
  await expect(page.getByText('49.00 euro a month')).toBeVisible()
  await press(page, 'Confirm')
  await expect(note(page, 'Changes from the payment page appear here once they are confirmed.')).toBeVisible()
  await expectBack(page)
  await expect(yourPlan(page)).toContainText(/Trade Copier II & AutoSync\s*Renews on /)
  theOne(stripe)
  await expectGate(page, 'TradeCopier', true)
})

test('while the provider is away it is said in red, and nothing is lost', { tag: '@nightly' }, async ({ page, stripe }) => {
  test.slow()
  await signUp(page, buyer)
  await goTo(page, plans)
  await stripe.goAway('failing')
  await subscribe(page, 'AutoSync').click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeDisabled()
  await expect(page.getByRole('alert')).toContainText('Failed to create checkout session')
  await expect(page.getByRole('alert')).toContainText('nothing was charged')
  await expect(subscribe(page, 'AutoSync')).toBeEnabled()

  await stripe.comeBack()
  await goToCheckout(page, 'AutoSync')
  stripe.post.hold()
  const back = await stripe.press(page.url(), 'pay')
  await stripe.goAway('refused')
  await page.goto(back ?? '')
  await expect(page.getByRole('alert')).toContainText('Subscription check failed', { timeout: 120_000 })
  await expect(page).toHaveURL(/payment=success&session_id=cs_test/)
  await stripe.comeBack()
  await press(page, 'Check again')
  await expect(note(page, paid)).toBeVisible()
  await expectBack(page)
})

test('a return that is not this user\'s changes nothing, and most see what is to come', { tag: '@nightly' }, async ({ page, stripe }) => {
  const { books, prices } = stripe
  await signUp(page, 'somebody@example.com')
  await goTo(page, plans)
  await expect(page.getByRole('button', { name: 'Coming Soon' })).toHaveCount(4)
  for (const button of await page.getByRole('button', { name: 'Coming Soon' }).all()) await expect(button).toBeDisabled()

  const price = books.prices.get(prices.autosync)
  if (price === undefined) throw new Error('There is a price')
  const metadata = { userId: devUserId(buyer), plan: 'autosync' }
  const { id: customer } = books.addCustomer({ userId: devUserId(buyer) })
  const others = books.addCheckout({ customer, reference: null, price, metadata, subscriptionMetadata: metadata, successUrl: 'http://127.0.0.1/{CHECKOUT_SESSION_ID}', cancelUrl: null })
  books.pay(others)
  for (const session of [others.id, 'cs_test_unknown']) {
    await goTo(page, `${plans}?payment=success&session_id=${session}`)
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('Subscription check failed')
    await expect(page.getByRole('alert')).toContainText('This checkout is unknown.')
  }
  await goTo(page, `${plans}?payment=success`)
  await expect(page.getByRole('alert')).toContainText('Subscription check failed')
  await expect(page.getByRole('alert')).toContainText('did not say which checkout')
  await expect(yourPlan(page)).toContainText('You have no paid plan.')
  await expectGate(page, 'AIreport', false)
})
