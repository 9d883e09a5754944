import { expect, type Page } from '@playwright/test'
import { button, goTo, signUp, test } from '../e2e/app-test.ts'
import { offerDesktop } from '../e2e/desktop-bridge.ts'
import { takePushes } from '../e2e/stated/pushes.ts'
import { open, picture } from './picture.ts'
import { paidFor, stubStanding, usual, type StatedStanding } from '../e2e/standing.ts'

const subscriber = { admin: false, subscriber: true } as const
const gate = (page: Page) => page.getByRole('dialog', { name: 'Subscription Required' })

test('what only the desktop has in Settings', async ({ page }) => {
  const desktop = await offerDesktop(page)
  await signUp(page)
  await open(page, '/dashboard/Settings?section=computer', 'Settings')
  await expect(page.getByRole('switch').first()).toBeVisible()
  await picture(page, 'computer')
  desktop.answers = 'refusing'
  await page.getByRole('switch').first().click()
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'computer-failed')
})

test('the way to what came of a payment', async ({ page }) => {
  await offerDesktop(page)
  const push = await takePushes(page)
  await signUp(page)
  const say = async (): Promise<void> => {
    await push({ type: 'came-back', to: 'checkout', payment: 'success', sessionId: 'cs_1' })
    await expect(page.getByText('Back from the payment page').first()).toBeVisible()
  }
  await picture(page, 'came-back', say)
})

test('what a lent browser shows after a payment', async ({ browser, app }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const [path, name] of [['/checkout/return?payment=success&session_id=cs_1', 'payment'], ['/portal/return', 'portal']] as const) {
    await page.goto(`${app.origin}${path}`)
    await expect(page.getByText('You can close this window')).toBeVisible()
    await picture(page, `lent-${name}`)
  }
  await context.close()
})

test('plans, and what came of a payment', async ({ page }) => {
  let stated: StatedStanding = { subscription: usual }
  let active = false
  await stubStanding(page, () => stated)
  await page.route('**/api/stripe/payments', (route) => {
    const body = route.request().postDataJSON() as { action: string }
    return body.action === 'check-subscription' ? route.fulfill({ json: { success: true, active } }) : route.fallback()
  })
  await signUp(page)
  const plans = async (query = ''): Promise<void> => {
    await goTo(page, `/dashboard/ManageSubscription${query}`)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Manage Subscription', exact: true })).toBeVisible()
  }
  await plans()
  await expect(page.getByRole('button', { name: 'Coming Soon' }).first()).toBeVisible()
  await picture(page, 'plans')
  stated = { subscription: usual, role: subscriber }
  await plans('?payment=success&session_id=cs_1')
  await expect(page.getByText('Confirming your payment.', { exact: false })).toBeVisible()
  await picture(page, 'plans-confirming')
  active = true
  stated = { subscription: paidFor('tradecopier'), role: subscriber }
  await plans('?payment=success&session_id=cs_1')
  await expect(page.getByText('Payment confirmed. Your plan is active.')).toBeVisible()
  await picture(page, 'plans-paid')
  await button(page, 'Subscribe to Trade Copier II').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'plans-refused')
  stated = { subscription: usual, failed: 'Subscription check failed' }
  await plans()
  await expect(page.getByText('Subscription check failed').first()).toBeVisible()
  await picture(page, 'plans-failed')
})

test('closed gates', async ({ page }) => {
  let stated: StatedStanding = { subscription: usual }
  await stubStanding(page, () => stated)
  await signUp(page)
  for (const name of ['AutoSync', 'TradeCopier'] as const) {
    await goTo(page, `/dashboard/${name}`)
    await expect(gate(page)).toBeVisible()
    await picture(page, `gate-${name}`)
  }
  stated = { subscription: usual, failed: 'Subscription check failed' }
  await goTo(page, '/dashboard/AIreport')
  await page.reload()
  await expect(page.getByText('Subscription check failed').first()).toBeVisible()
  await picture(page, 'gate-failed')
})
