import { expect } from '@playwright/test'
import { expectAccessible, goTo, test } from './app-test.ts'
import { begin, email, enter, google, held, overview, providerPage, said } from './identity-test.ts'

const waiting = { state: 'waiting' }

test('it opens in a small window over the middle, is waited for in sight, and signs in', { tag: '@nightly' }, async ({ page }) => {
  const stated = await begin(page)
  const answers = [held<object>(), held<object>()]
  stated.answers.beginFederated = () => ({ attempt: 'A1', url: `${providerPage}?state=1` })
  stated.answers.endFederated = () => answers[stated.made.filter(({ call }) => call === 'endFederated').length - 1]?.promise ?? waiting
  const opened = page.waitForEvent('popup')
  await google(page).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Sign in at the provider' })).toBeVisible()
  const box = await popup.evaluate(() => [innerWidth, innerHeight])
  expect(box).toEqual([500, 600])
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for Google…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)

  answers[0]?.settle(waiting)
  await expect.poll(() => stated.made.filter(({ call }) => call === 'endFederated').length).toBe(2)
  const closed = popup.waitForEvent('close')
  answers[1]?.settle({ state: 'entered', ...(await enter(page)) })
  await closed
  await expect(overview(page)).toBeVisible()
  expect(stated.made.map(({ call, body }) => [call, body])).toEqual([
    ['beginFederated', { provider: 'google' }],
    ['endFederated', { attempt: 'A1' }],
    ['endFederated', { attempt: 'A1' }],
  ])
})

test('a window that the browser blocks is said, and nothing is begun', { tag: '@nightly' }, async ({ page }) => {
  await page.addInitScript(() => { window.open = () => null })
  const stated = await begin(page)
  stated.answers.beginFederated = () => ({ refused: 'internal' })
  await google(page).click()
  await expect(page.getByRole('alert')).toHaveText(said['popup-blocked'])
  expect(stated.made).toEqual([])
  await expectAccessible(page)
})

test('a window that is closed is given eight seconds, in which an answer still counts', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  const stated = await begin(page)
  let answer = held<object>()
  stated.answers.beginFederated = () => ({ attempt: 'A1', url: providerPage })
  stated.answers.endFederated = () => answer.promise
  const closeOne = async (): Promise<void> => {
    const opened = page.waitForEvent('popup')
    await google(page).click()
    const popup = await opened
    await expect(popup.getByRole('heading', { name: 'Sign in at the provider' })).toBeVisible()
    await popup.close()
    await expect(page.getByRole('status').filter({ hasText: 'Window closed.' })).toBeVisible()
  }
  await closeOne()
  await page.clock.runFor(6_000)
  await expect(page.getByRole('status').filter({ hasText: 'Window closed.' })).toBeVisible()
  await page.clock.runFor(3_000)
  await expect(page.getByRole('alert')).toHaveText(said['popup-closed-by-user'])
  await expect(google(page)).toBeFocused()

  answer = held<object>()
  await closeOne()
  answer.settle({ state: 'entered', ...(await enter(page)) })
  await expect(overview(page)).toBeVisible()
})

test('what the provider or a newer window ended says why, and its window goes', { tag: '@nightly' }, async ({ page }) => {
  const stated = await begin(page)
  stated.answers.beginFederated = () => ({ attempt: 'A1', url: providerPage })
  for (const code of ['cancelled-popup-request', 'federated-denied', 'other-sign-in-needed', 'user-disabled'] as const) {
    const answer = held<object>()
    stated.answers.endFederated = () => answer.promise
    const opened = page.waitForEvent('popup')
    await google(page).click()
    const popup = await opened
    const closed = popup.waitForEvent('close')
    answer.settle({ refused: code })
    await closed
    await expect(page.getByRole('alert')).toHaveText(said[code])
  }
})

test('an address that cannot be had closes the window again', { tag: '@nightly' }, async ({ page }) => {
  const stated = await begin(page)
  stated.answers.beginFederated = () => ({ refused: 'network-request-failed' })
  const opened = page.waitForEvent('popup')
  await google(page).click()
  const popup = await opened
  if (!popup.isClosed()) await popup.waitForEvent('close')
  await expect(page.getByRole('alert')).toHaveText(said['network-request-failed'])
})

test('Cancel closes the window and leaves the form as it was', { tag: '@nightly' }, async ({ page }) => {
  const stated = await begin(page)
  const answer = held<object>()
  stated.answers.beginFederated = () => ({ attempt: 'A1', url: providerPage })
  stated.answers.endFederated = () => answer.promise
  await page.getByLabel('Email').fill(email)
  const opened = page.waitForEvent('popup')
  await google(page).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Sign in at the provider' })).toBeVisible()
  const closed = popup.waitForEvent('close')
  await page.keyboard.press('Enter')
  await closed
  await expect(google(page)).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  answer.settle({ refused: 'federated-denied' })
  await google(page).press('Tab')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('it is not offered where it is not set up', { tag: '@nightly' }, async ({ page }) => {
  await begin(page, { federated: [] })
  await expect(google(page)).toHaveCount(0)
  await goTo(page, '/auth/signup')
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
  await expect(google(page)).toHaveCount(0)
})
