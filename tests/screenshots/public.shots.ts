import { expect } from '@playwright/test'
import { button, goTo, signUp, test } from '../e2e/app-test.ts'
import { open, picture } from './picture.ts'

test('what anybody may read, and the sample form', async ({ page, browser, app }) => {
  await open(page, '/', 'P&L that matches your broker’s to the cent, and proves it')
  await picture(page, 'landing')
  for (const [part, name] of [['What reconciled means', 'proof'], ['More in the app', 'screens'], ['Your data', 'data'], ['Plans', 'plans']] as const) {
    await picture(page, `landing-${name}`, () => page.getByRole('heading', { name: part, exact: true }).evaluate((heading) => { heading.scrollIntoView() }))
  }
  for (const [path, title] of [['/terms', 'Terms of use'], ['/policy', 'Privacy'], ['/licenses', 'Licenses']] as const) {
    await open(page, path, title)
    await picture(page, path.slice(1))
  }
  await signUp(page)
  await open(page, '/', 'P&L that matches your broker’s to the cent, and proves it')
  await picture(page, 'landing-signed-in')
  await goTo(page, '/dashboard/form')
  await expect(page.getByRole('heading', { name: 'Profile form' })).toBeVisible()
  await picture(page, 'sample-form')
  await page.getByLabel('Date of birth').fill('1990-05-01')
  await button(page, 'Submit').click()
  await picture(page, 'sample-form-wrong')

  const context = await browser.newContext()
  const outside = await context.newPage()
  await outside.goto(app.origin)
  await expect(outside.getByRole('alert')).toBeVisible()
  await picture(outside, 'landing-no-key')
  await context.close()
})
