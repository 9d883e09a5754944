import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { choose } from './broker-test.ts'
import { copierAccounts } from './stated/stated-copier.ts'
import { takePositionPushes } from './stated/stated-positions.ts'
import { rulesReading, statedAlert, tellRules } from './stated/stated-rules.ts'

const names = copierAccounts.map(({ name }) => name)
const [whole = '', paused = '', passed = '', byBroker = '', lost = '', , bare = ''] = names
const [wholeKey = '', , , , , , bareKey = ''] = copierAccounts.map(({ id }) => id)

/** Holds the screen to its rules without the pointer, under which buttons look otherwise. */
const expectGood = async (page: Page): Promise<void> => {
  await page.mouse.move(0, 0)
  await expectAccessible(page)
}
const openRules = async (page: Page, search = ''): Promise<void> => {
  await goTo(page, `/dashboard/PositionScanner?tab=rules${search}`)
  await expect(page.getByRole('tab', { name: 'Rules' })).toHaveAttribute('aria-selected', 'true')
}
const rowOf = (page: Page, account: string): Locator => page.getByRole('row').filter({ has: page.getByRole('button', { name: `Rules of ${account}` }) })
const meter = (within: Page | Locator, name: string): Locator => within.getByRole('meter', { name, exact: true })
const bodiesOf = (asked: readonly { path: string; body: unknown }[], end: string): unknown[] => asked.filter(({ path }) => path.endsWith(end)).map(({ body }) => body)

test('every account is in the list with its stage, its rules, and the nearest limit, and in full once chosen', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await tellRules(page)
  await openRules(page)
  await expect(rowOf(page, whole)).toContainText('Evaluation')
  await expect(rowOf(page, whole)).toContainText('Custom')
  await expect(meter(rowOf(page, whole), 'Drawdown limit')).toHaveAttribute('aria-valuetext', '$312.50 left')
  await expect(rowOf(page, paused)).toContainText('Core, Evaluation')
  await expect(meter(rowOf(page, paused), 'Daily loss limit')).toHaveAttribute('aria-valuetext', 'Paused for the day')
  await expect(rowOf(page, passed)).toContainText('Since Feb 12, 2026')
  await expect(rowOf(page, lost)).toContainText('Since Feb 11, 2026')
  await expect(rowOf(page, byBroker)).toContainText('Set by hand')
  await expect(rowOf(page, bare)).toContainText('None')
  await expectGood(page)

  await page.getByRole('button', { name: `Rules of ${whole}` }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`account=${encodeURIComponent(wholeKey)}`))
  await expect(page.getByRole('button', { name: 'All accounts' })).toBeFocused()
  const says: readonly (readonly [string, string])[] = [
    ['Drawdown limit', '$312.50 left'], ['Daily loss limit', '$312.50 left'], ['Profit target', '$2,750.00 to go'], ['Consistency rule', '11.25% over'], ['Min trading days', 'Met'], ['Winning days', '1 day to go'],
    ['Max contracts', '1.6 contracts left'], ['Flat by', '34m left'], ['No hedging', 'No opposite position'], ['Time limit', '19 days left'], ['Payout', '$2,200.00 available'],
  ]
  for (const [name, left] of says) await expect(meter(page, name), name).toHaveAttribute('aria-valuetext', left)
  await expect(page.getByText('Set by the broker')).toHaveCount(1)
  await expect(page.getByText('Open P&L is unknown and not included')).toBeVisible()
  await expect(page.getByText('Day P&L −$687.50, limit $1,000.00')).toBeVisible()
  await expectGood(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Rules of ${whole}` })).toBeFocused()
  await page.goBack()
  await expect(meter(page, 'Payout')).toBeVisible()
  await page.goBack()

  // Old figures say so, and a rule that cannot be evaluated says why.
  await page.getByRole('button', { name: `Rules of ${paused}` }).click()
  await expect(meter(page, 'Consistency rule')).toHaveAttribute('aria-valuetext', 'Unknown')
  await expect(page.getByText('Needs a profit target')).toBeVisible()
  await expect(page.getByText('12m old')).toBeVisible()
})

test('a preset is picked with its sources, edited, and saved; errors show at their fields', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const kept = await tellRules(page)
  await openRules(page, `&account=${bareKey}`)
  await page.getByRole('button', { name: 'Set rules' }).click()
  await expect(page.getByRole('combobox', { name: 'Firm' })).toContainText('Apex Trader Funding')
  await expect(page.getByText('Check with your firm.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use these rules' })).toBeEnabled()
  await choose(page, 'Firm', 'MyFundedFutures')
  await choose(page, 'Size', '$50,000')
  // The account's own phase is kept.
  await expect(page.getByRole('combobox', { name: 'Phase' })).toContainText('Evaluation')
  await expect(page.getByText('Check with your firm.')).toBeVisible()
  const facts = page.getByRole('list', { name: 'From MyFundedFutures’s own pages' }).getByRole('listitem')
  await expect(page.getByRole('list', { name: 'Not the firm’s own page: read by others, unconfirmed' }).getByRole('listitem')).toHaveCount(1)
  await expect(facts).toHaveCount(1)
  await expect(facts).toContainText('read on Nov 22, 2026')
  await expect(facts.getByRole('link', { name: 'help.example.com' })).toHaveAttribute('href', 'https://help.example.com/rules/plans')
  await expect(page.getByText('No trading during major news')).toBeVisible()
  await page.getByRole('button', { name: 'Use these rules' }).click()

  const form = page.getByRole('form', { name: 'Rules' })
  const loss = form.getByRole('group', { name: 'Drawdown limit' })
  await expect(loss.getByLabel('Amount')).toHaveValue('2000.00')
  // However long the form, the window itself does not scroll beside it.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  await expect(form.getByRole('group', { name: 'Max contracts' }).getByLabel('Profit of step 2')).toHaveValue('1500.00')
  await expect(page.getByText('Edited', { exact: true })).toHaveCount(0)

  await loss.getByLabel('Amount').fill('two thousand')
  await form.getByLabel('Max contracts of product 1').fill('0')
  await form.getByRole('group', { name: 'Flat by' }).getByLabel('Time', { exact: true }).fill('25:00')
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Correct 3 fields.')).toBeVisible()
  await expect(loss.getByLabel('Amount')).toBeFocused()
  await expect(loss.getByRole('alert')).toHaveText('Enter an amount above zero, with at most two decimals.')
  await expect(form.getByRole('group', { name: 'Flat by' }).getByRole('alert')).toHaveText('Enter a time like 15:10.')
  await expectGood(page)
  expect(bodiesOf(kept.asked, '/rules')).toEqual([])

  await loss.getByLabel('Amount').fill('$2,250.50')
  await loss.getByRole('checkbox', { name: 'Locks' }).click()
  await form.getByLabel('Max contracts of product 1').fill('3')
  await form.getByRole('switch', { name: 'Flat by' }).click()
  await form.getByRole('switch', { name: 'No hedging' }).click()
  await form.getByRole('button', { name: 'Add a step' }).click()
  await form.getByLabel('Profit of step 3').fill('3,000')
  await form.getByLabel('Max contracts of step 3').fill('5')
  await form.getByLabel('Count from').fill('2026-02-02')
  await expect(page.getByText('Edited', { exact: true })).toBeVisible()
  // What is typed is kept while another part shows, another account, or another page.
  await page.getByRole('radio', { name: 'Status' }).click()
  await page.getByRole('radio', { name: 'Rules', exact: true }).click()
  await expect(loss.getByLabel('Amount')).toHaveValue('$2,250.50')
  await choose(page, 'Account', whole)
  await expect(loss.getByLabel('Amount')).toHaveValue('2000.00')
  await page.getByRole('tab', { name: 'Alerts' }).click()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await expect(rowOf(page, bare)).toContainText('Not saved')
  await expect(page.getByText('Not saved')).toHaveCount(1)
  await page.getByRole('button', { name: `Rules of ${bare}` }).click()
  await page.getByRole('radio', { name: 'Rules', exact: true }).click()
  await expect(loss.getByLabel('Amount')).toHaveValue('$2,250.50')
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Rules saved.')).toBeVisible()
  expect(bodiesOf(kept.asked, '/rules')).toMatchObject([
    { account: bareKey, presetId: 'mffu-core-50k', since: '2026-02-02', set: { maxLoss: { amount: '2250.50', trail: 'end-of-day', locksAt: null }, flatBy: null, noHedging: true, contracts: { byProduct: [{ product: 'GC', most: 3 }], scaling: [{ fromProfit: '0.00', most: 2 }, { fromProfit: '1500.00', most: 4 }, { fromProfit: '3000', most: 5 }] } } },
  ])
  await page.getByRole('button', { name: 'All accounts' }).click()
  await expect(meter(rowOf(page, bare), 'Drawdown limit')).toBeVisible()

  // Gone again, after one question.
  await page.getByRole('button', { name: `Rules of ${bare}` }).click()
  await page.getByRole('radio', { name: 'Rules', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Plan' })).toHaveText('Core')
  await form.getByRole('button', { name: 'Remove rules' }).click()
  await page.getByRole('dialog', { name: `Remove the rules of ${bare}?` }).getByRole('button', { name: 'Remove rules' }).click()
  await expect(form).toHaveCount(0)
  expect(bodiesOf(kept.asked, '/rules').at(-1)).toEqual({ account: bareKey, set: null, presetId: null, since: null })
})

test('own rules can be written from scratch, and refusals are shown', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const kept = await tellRules(page)
  await openRules(page, `&account=${bareKey}&part=set`)
  await page.getByRole('button', { name: 'Write custom rules' }).click()
  const form = page.getByRole('form', { name: 'Rules' })
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Correct 1 field.')).toBeVisible()
  await form.getByLabel('Starting balance (USD)').fill('-1')
  await expect(form.getByRole('alert')).toHaveCount(0)
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByRole('alert')).toHaveText('Enter zero or more, with at most two decimals.')
  await form.getByLabel('Starting balance (USD)').fill('0')
  await form.getByRole('switch', { name: 'Profit target' }).click()
  await form.getByRole('group', { name: 'Profit target' }).getByLabel('Profit', { exact: true }).fill('1500')
  await page.route(/\/api\/rules$/, (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } }) : route.fallback()))
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByRole('alert')).toHaveText('A field in this form is not valid. Check the fields and try again.')
  await page.unroute(/\/api\/rules$/)
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Rules saved.')).toBeVisible()
  expect(bodiesOf(kept.asked, '/rules').at(-1)).toMatchObject({ presetId: null, since: null, set: { startingBalance: '0', currency: 'USD', profitTarget: '1500', maxLoss: null } })
})

test('the past shows the first breach in words, in the chart and in the table, and beside it what another firm would have said', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const kept = await tellRules(page)
  await openRules(page, `&account=${wholeKey}&part=history`)
  // In whatever time zone this computer is.
  const said = /Daily loss limit breached on Feb 6, 2026, \d\d:\d1:00\./
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
  await expect(page.getByRole('img', { name: said })).toBeVisible()
  const days = page.getByRole('table', { name: 'Day by day' })
  await expect(days.getByRole('row')).toHaveCount(7)
  const breach = days.getByRole('row').filter({ hasText: 'Feb 6, 2026' })
  await expect(breach).toContainText('Daily loss limit breached')
  await expect(breach).toContainText('First breach')
  expect((await breach.getByRole('cell').allInnerTexts()).slice(1, 6)).toEqual(['−1,010.00', '50,675.50', '50,675.50', '49,685.50', '990.00'])
  await breach.getByRole('button', { name: 'Rules on Feb 6, 2026' }).click()
  await expect(meter(days, 'Daily loss limit')).toHaveAttribute('aria-valuetext', 'Breached')
  await expectGood(page)

  await page.getByRole('button', { name: 'Try a firm' }).click()
  await choose(page, 'Firm', 'Apex Trader Funding')
  const both = page.getByRole('table', { name: 'Outcomes compared' })
  await expect(both.getByRole('row').filter({ hasText: 'Outcome' }).getByRole('cell')).toHaveText([said, 'Passed on Feb 5, 2026.'])
  await expect(both.getByRole('row').filter({ hasText: 'Closest to the drawdown limit' }).getByRole('cell')).toHaveText(['$990.00 on Feb 6, 2026', '$2,400.00 on Feb 2, 2026'])
  await expectGood(page)
  await page.getByRole('radio', { name: 'Apex Trader Funding, Full' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Passed on Feb 5, 2026.' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
  expect(bodiesOf(kept.asked, '/replay')).toEqual([{ account: wholeKey, rules: { own: true }, since: '2026-02-02' }, { account: wholeKey, rules: { presetId: 'apex-50k' }, since: '2026-02-02' }])
})

test('odds are simulated, put in words, the same for the same seed, and can be canceled', { tag: '@nightly' }, async ({ page }) => {
  const { push } = await takePositionPushes(page)
  await signUp(page)
  const kept = await tellRules(page)
  await openRules(page, `&account=${wholeKey}&part=odds`)
  const result = page.getByRole('region', { name: 'Probability of passing' })
  const share = (name: string): Locator => result.locator('dl > div').filter({ hasText: name }).locator('dd').last()
  await page.getByLabel('Runs').fill('50')
  await page.getByLabel('Seed').fill('x')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(page.getByText('Enter a whole number from 100 to 100,000.')).toBeVisible()
  await expect(page.getByText('Enter a whole number from 0 to 4,294,967,295.')).toBeVisible()
  await expectGood(page)
  await page.getByLabel('Runs').fill('10,000')
  await page.getByLabel('Seed').fill('7')
  await page.getByLabel('Seed').press('Enter')
  await expect(share('Passed')).toHaveText('41.4%± 1.0%')
  await expect(share('Breached')).toHaveText('48.6%')
  await expect(result.getByText('Median 14 sessions to pass.')).toBeVisible()
  await expect(result.getByRole('img', { name: /^After 196 sessions the median balance is/ })).toBeVisible()
  await expect(result.getByText('out of time.')).toContainText('250')
  await result.getByText('Chart figures').click()
  await expect(result.getByRole('table').getByRole('row')).toHaveCount(41)
  await expectGood(page)

  await page.getByLabel('Seed').fill('8')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(share('Passed')).toHaveText('41.6%± 1.0%')
  await page.getByLabel('Seed').fill('7')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(share('Passed')).toHaveText('41.4%± 1.0%')
  expect(bodiesOf(kept.asked, '/odds')).toMatchObject([{ runs: 10_000, seed: 7, rules: { own: true } }, { seed: 8 }])

  // What was drawn under one set of rules does not stand under the choice of another.
  await page.getByRole('radio', { name: 'A firm’s rules' }).click()
  await expect(result).toHaveCount(0)
  await page.getByRole('radio', { name: 'Custom rules' }).click()
  await expect(share('Passed')).toHaveText('41.4%± 1.0%')

  // Nor does a simulation from before the journal or the rules changed.
  const drawn = bodiesOf(kept.asked, '/odds').length
  await push({ type: 'rules-changed' })
  await expect.poll(() => bodiesOf(kept.asked, '/odds').length).toBe(drawn + 1)
  await expect(share('Passed')).toHaveText('41.4%± 1.0%')

  // A slow answer is given up, and its request canceled.
  await page.route(/\/api\/rules\/odds$/, () => undefined)
  await page.getByLabel('Seed').fill('9')
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(page.getByRole('progressbar', { name: 'Simulating 10,000 runs…' })).toBeVisible()
  await expectGood(page)
  const broken = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/odds'))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await broken
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await page.unroute(/\/api\/rules\/odds$/)
  await page.route(/\/api\/rules\/odds$/, (route) => route.fulfill({ json: { odds: null, missing: 'target' } }))
  await page.getByRole('button', { name: 'Run simulation' }).click()
  await expect(page.getByText('These rules have no profit target')).toBeVisible()
})

test('a stage is set by hand and reset, from the list and from AutoSync', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const kept = await tellRules(page)
  await openRules(page)
  await page.getByRole('button', { name: `Stage of ${whole}: Evaluation` }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Funded' }).click()
  await expect(rowOf(page, whole).getByRole('button', { name: `Stage of ${whole}: Funded` })).toBeVisible()
  await expect(rowOf(page, whole)).toContainText('Set by hand')

  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  await expect(page.getByRole('columnheader')).toHaveText(['POS', 'Account', 'Balance', 'Type', 'Platform', 'Firm', 'Stage', 'Sync', 'Actions'])
  await expect(page.getByRole('row').filter({ hasText: passed })).toContainText('Since Feb 12, 2026')
  await expectGood(page)
  await page.getByRole('button', { name: `Stage of ${whole}: Funded` }).click()
  await page.getByRole('menuitem', { name: 'Automatic' }).click()
  await expect(page.getByRole('button', { name: `Stage of ${whole}: Evaluation` })).toBeVisible()
  expect(bodiesOf(kept.asked, '/stage')).toEqual([{ account: wholeKey, stage: 'funded' }, { account: wholeKey, stage: null }])

  await page.route(/\/api\/rules\/stage$/, (route) => route.fulfill({ status: 500, json: { success: false, code: 'internal', error: 'internal' } }))
  await page.getByRole('button', { name: `Stage of ${whole}: Evaluation` }).click()
  await page.getByRole('menuitemradio', { name: 'Breached' }).click()
  await expect(page.getByText(`The stage of ${whole} did not change`, { exact: true })).toBeVisible()
})

test('an alert comes as a toast on any page and with a sound, is in the log, and is marked as seen; settings are saved', { tag: '@nightly' }, async ({ page }) => {
  await page.addInitScript(() => {
    const played: number[] = []
    class Heard extends OscillatorNode {
      override start(when?: number): void {
        played.push(this.frequency.value)
        super.start(when)
      }
    }
    Object.assign(window, { OscillatorNode: Heard, played })
  })
  const sounds = (): Promise<number> => page.evaluate(() => (window as unknown as { played: number[] }).played.length)
  const pushes = await takePositionPushes(page)
  await signUp(page)
  const kept = await tellRules(page)
  await goTo(page, '/dashboard/PositionScanner?tab=alerts')
  await page.reload()
  await expect(page.getByText('2 new')).toBeVisible()
  const log = page.getByRole('table', { name: 'Alert log' })
  await expect(log.getByRole('row').nth(1)).toContainText('Daily loss limit: at least 80% used')
  await expect(log.getByRole('row').nth(2)).toContainText('Drawdown limit: reached')
  await expect(log.getByRole('row').nth(3)).toContainText('Max contracts: at least 80% used')
  await page.getByRole('button', { name: 'Mark all as seen' }).click()
  await expect(page.getByText('2 new')).toHaveCount(0)
  expect(bodiesOf(kept.asked, '/seen')).toEqual([{ upTo: 3 }])

  await page.getByLabel('Alert levels, in percent of a limit').fill('50, 101')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter up to five whole numbers from 1 to 100.')).toBeVisible()
  await page.getByLabel('Alert levels, in percent of a limit').fill('90 70')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Alert levels, in percent of a limit')).toHaveValue('70, 90')
  await page.getByRole('button', { name: 'Play sound' }).click()
  await expect.poll(sounds).toBe(2)
  await page.getByRole('switch', { name: 'Sound' }).click()
  await expect(page.getByRole('switch', { name: 'Sound' })).toBeChecked()
  expect(kept.settings).toEqual({ on: true, at: [70, 90], toast: true, system: true, sound: true })

  // On another page; two at once share a toast, which shows the worse one.
  await page.getByRole('link', { name: 'Settings' }).click()
  kept.alerts.unshift(statedAlert(5, { level: 90, left: '100.00' }), statedAlert(4, { level: 70 }))
  await pushes.push({ type: 'rule-alert', alert: statedAlert(5, { level: 90, left: '100.00' }) })
  await pushes.push({ type: 'rule-alert', alert: statedAlert(4, { level: 70 }) })
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect(toast).toHaveCount(1)
  await expect(toast).toContainText('Daily loss limit: at least 90% used')
  await expect(toast).toContainText(`${paused} · $100.00 left · and 1 more`)
  await expect.poll(sounds).toBeGreaterThan(2)
  await toast.getByRole('button', { name: 'Show alerts' }).click()
  await expect(log.getByRole('row').nth(1)).toContainText('Daily loss limit: at least 90% used')
  await expect(page.getByText('2 new')).toBeVisible()

  // Who wants no toasts gets none.
  await page.getByRole('switch', { name: 'On the page' }).click()
  await expect(page.getByRole('switch', { name: 'On the page' })).not.toBeChecked()
  await expect(toast).toHaveCount(0)
  const before = await sounds()
  // Tones that come close together sound once.
  await expect.poll(async () => {
    await pushes.push({ type: 'rule-alert', alert: statedAlert(6) })
    return sounds()
  }).toBeGreaterThan(before)
  await expect(toast).toHaveCount(0)
})

test('alerts before the first one, and where they cannot be read', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await tellRules(page, rulesReading(), [])
  await goTo(page, '/dashboard/PositionScanner?tab=alerts')
  await page.reload()
  await expect(page.getByText('No alerts yet')).toBeVisible()
  await expectGood(page)
  await page.route(/\/api\/rules\/alerts/, (route) => route.fulfill({ status: 400, json: { success: false, code: 'internal', error: 'internal' } }))
  await page.reload()
  await expect(page.getByText('Could not load this')).toBeVisible()
})

test('Overview shows every account, the nearest to a limit first, and leads to its rules', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const kept = await tellRules(page)
  await goTo(page, '/dashboard')
  await page.reload()
  const strip = page.getByRole('region', { name: 'Accounts', exact: true })
  await expect(strip.getByRole('listitem')).toHaveCount(5)
  await expect.poll(async () => (await strip.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([paused, whole, passed, names[5], lost])
  await expect(meter(strip.getByRole('listitem').nth(1), 'Drawdown limit')).toHaveAttribute('aria-valuetext', '$312.50 left')
  await expect(strip.getByRole('listitem').nth(1)).toContainText('$48,413')
  await expect(strip.getByRole('listitem').nth(0)).toContainText('12m old')
  await expect(strip.getByRole('listitem').nth(0)).not.toContainText('real-time')
  await expect(strip.getByRole('listitem').nth(1)).toContainText('real-time')
  await expect(strip.getByRole('listitem').nth(2)).toContainText('from the journal, Feb 13')
  await expectGood(page)
  await strip.getByRole('link', { name: whole }).click()
  await expect(page.getByRole('heading', { name: 'PositionScanner' })).toBeVisible()
  await expect(meter(page, 'Payout')).toBeVisible()

  // Without rules each line leads to them.
  const none = kept.reading()
  await tellRules(page, { accounts: none.accounts.map((one) => ({ ...one, set: null })), standings: none.standings.map((one) => ({ ...one, states: null, nearest: null })) })
  await goTo(page, '/dashboard')
  await page.reload()
  await strip.getByRole('link', { name: whole }).filter({ hasText: 'Set rules' }).click()
  await expect(page.getByRole('heading', { name: 'PositionScanner' })).toBeVisible()
})
