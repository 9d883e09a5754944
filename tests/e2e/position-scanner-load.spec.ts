import { expect } from '@playwright/test'
import { signUp, test } from './app-test.ts'
import { accountOf, cellsOf, openScanner, positionOf, scanner } from './scanner-test.ts'
import { watchPace } from './scanner-pace.ts'
import { crowdedReading, takePositionPushes, stubPositions } from './stated/stated-positions.ts'

const ticks = 20
const everyMs = 20

test('fifty pushes a second of 200 positions are painted at most ten times a second, and the last one is what shows', { tag: '@nightly' }, async ({ page }) => {
  const { flood } = await takePositionPushes(page)
  await signUp(page)
  const now = Date.now()
  await stubPositions(page, () => crowdedReading(now, 1))
  await openScanner(page)
  await expect(positionOf(page, 'LOAD-1', 'NQZ6')).toBeVisible()
  expect(await scanner(page).getAttribute('aria-rowcount')).toBe('251')
  // Only visible rows are in the page.
  expect(await scanner(page).locator('tbody tr[data-line]').count()).toBeLessThan(60)

  const pace = await watchPace(page)
  const last = await flood(Array.from({ length: ticks }, (_, at) => ({ type: 'positions' as const, live: crowdedReading(now, at + 2) })), 250, everyMs)
  const { seconds, paints, longTasks } = await pace.end()
  test.info().annotations.push({ type: 'pace', description: `${(paints / seconds).toFixed(1)} paints a second, longest tasks ${longTasks.slice(0, 5).join(', ')} ms` })
  expect(seconds).toBeGreaterThan(4)
  expect(paints / seconds).toBeLessThanOrEqual(10)
  expect(paints / seconds).toBeGreaterThan(2)

  const [shown] = crowdedReading(now, last).positions
  // The last price is painted a moment after it arrived.
  await expect.poll(async () => (await cellsOf(positionOf(page, 'LOAD-1', 'NQZ6'))).at(3)?.replace(/^.* /, '').replaceAll(',', '')).toBe(shown?.last?.price)
  await expect(accountOf(page, 'LOAD-1').getByRole('meter', { name: 'Drawdown limit' })).toHaveAttribute('aria-valuetext', /left$/)
  await positionOf(page, 'LOAD-1', 'NQZ6').focus()
  await page.keyboard.press('End')
  await expect(positionOf(page, 'LOAD-50', 'NQZ6')).toBeVisible()
})
