import type { AnswerOf } from '#shared/api/route.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { whatIfRoutes } from '#shared/api/what-if.ts'
import { expect } from '@playwright/test'
import { expectAccessible, goTo, send, test } from './app-test.ts'
import { connect, readApi } from './broker-test.ts'

const format = createFormat('en', 'America/Chicago')

test('other exits of the demo’s trades: a rule is set and changed by keyboard, each variant has its result, and a few are not believed', { tag: '@nightly' }, async ({ page }) => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connect(page)
  await goTo(page, '/dashboard?view=what-if')
  // Until its prices are there, it says where they come from.
  const stored = () => readApi<AnswerOf<typeof priceRoutes.prices>>(page, priceRoutes.prices.path)
  await expect.poll(async () => (await stored()).series.length, { timeout: 120_000 }).toBeGreaterThan(0)
  await expect(page.getByText('No rule tried yet')).toBeVisible()
  await expectAccessible(page)

  const answerOf = async (rule: object): Promise<AnswerOf<typeof whatIfRoutes.whatIf>> =>
    (await send(page, whatIfRoutes.whatIf.path, { filter: { symbols: [], accounts: [], side: [], tag: [], weekday: [], hour: [], session: [] }, rules: [rule], slippage: 1 })).json() as Promise<AnswerOf<typeof whatIfRoutes.whatIf>>
  const ticks = (value: number) => ({ in: 'ticks', value })
  const gainOf = (found: AnswerOf<typeof whatIfRoutes.whatIf>): string => {
    const { least, most } = found.variants[0]?.all.gain ?? { least: '', most: '' }
    return least === most ? format.signedMoney(least) : `${format.signedMoney(least)} to ${format.signedMoney(most)}`
  }
  const variants = page.getByRole('region', { name: 'Variants tried' })
  await page.getByRole('spinbutton', { name: 'Stop', exact: true }).focus()
  await page.keyboard.press('Enter')
  const first = await answerOf({ stop: ticks(20), target: ticks(40) })
  await expect(variants.getByRole('row').nth(1)).toContainText(gainOf(first))
  await expect(variants).toContainText('1 variant counted so far')
  await expect(page.getByRole('region', { name: 'Stop 20 ticks · Target 40 ticks' }).getByRole('status')).toContainText('Don’t rely on this')

  // A tick more by an arrow key, and a trailing stop typed.
  await page.keyboard.press('ArrowUp')
  for (let tab = 0; tab < 2; tab += 1) await page.keyboard.press('Tab')
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await expect(variants.getByRole('button', { name: 'Stop 21 ticks · Target 40 ticks · Trailing stop 12 ticks', exact: true })).toBeVisible()
  const second = await answerOf({ stop: ticks(21), target: ticks(40), trail: ticks(12) })
  expect(gainOf(second)).not.toBe(gainOf(first))
  await expect(variants.getByRole('row').nth(1)).toContainText(gainOf(second))
  await expect(variants.getByRole('row').nth(2)).toContainText(gainOf(first))
  await expect(variants).toContainText('2 variants counted so far')
  await expectAccessible(page)

  await page.getByRole('spinbutton', { name: 'Target', exact: true }).fill('0')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('A whole number from 1 to 10,000')
  await variants.getByRole('link').first().click()
  await expect(page).toHaveURL(/TradeLogbook\?priced=only/)
  await page.goBack()
  await expect(variants.getByRole('row')).toHaveCount(3)
})
