import type { AnswerOf } from '#shared/api/route.ts'
import { ruleRoutes, type RuleSet } from '#shared/api/rules.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { expect } from '@playwright/test'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { askApi, connect, financesOf, readApi, test } from './broker-test.ts'
import { accounts, test as onTheFloor, trade } from './copier-test.ts'
import { statedSet } from './stated/stated-rules.ts'

test.use({ begins: 'outside' })
onTheFloor.use({ begins: 'outside' })

const format = createFormat('en', 'America/Chicago')

test('rules are set for an account of the stand-in, its past is judged by them, its stage follows, and a reload keeps it all', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  broker.clock.set(broker.walk.at(-1)?.at ?? 0)
  await signUp(page)
  await connect(page)
  const [finance] = (await financesOf(page)).filter(({ platform }) => platform === 'Tradovate')
  if (finance === undefined) throw new Error('An account is connected')
  await goTo(page, `/dashboard/PositionScanner?tab=rules&account=${finance.id}&part=set`)
  await page.getByRole('button', { name: 'Write custom rules' }).click()
  const form = page.getByRole('form', { name: 'Rules' })
  await form.getByLabel('Starting balance (USD)').fill('50,000')
  await form.getByRole('switch', { name: 'Drawdown limit' }).click()
  await form.getByRole('group', { name: 'Drawdown limit' }).getByLabel('Amount').fill('0.01')
  await form.getByRole('switch', { name: 'Profit target' }).click()
  await form.getByRole('group', { name: 'Profit target' }).getByLabel('Profit', { exact: true }).fill('25000')
  await form.getByRole('button', { name: 'Save rules' }).click()
  await expect(form.getByText('Rules saved.')).toBeVisible()
  const saved = await readApi<AnswerOf<typeof ruleRoutes.rules>>(page, ruleRoutes.rules.path)
  const kept = saved.accounts.find(({ account }) => account === finance.id)
  expect(kept?.set).toMatchObject({ startingBalance: '50000', maxLoss: { amount: '0.01', trail: 'static', locksAt: null }, profitTarget: '25000' } satisfies Partial<RuleSet>)

  // What the screen says of the past is what the program says, in words.
  const replay = await askApi<AnswerOf<typeof ruleRoutes.replay>>(page, ruleRoutes.replay.path, { account: finance.id, rules: { own: true }, since: null })
  await page.getByRole('radio', { name: 'History' }).click()
  const days = page.getByRole('table', { name: 'Day by day' })
  await expect(days.getByRole('row')).toHaveCount(replay.days.length + 1)
  const last = replay.days.at(-1)
  if (last === undefined) throw new Error('There are days')
  expect((await days.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).slice(1, 4)).toEqual([format.signedMoney(last.net), format.money(last.balance), format.money(last.low)])
  const outcome = replay.breach === null ? `Neither passed nor breached after ${String(replay.days.length)} day` : `Drawdown limit breached on ${replay.breach.at === null ? format.fullDay(replay.breach.tradingDay) : format.fullDateTime(replay.breach.at)}.`
  await expect(page.getByRole('status').filter({ hasText: outcome })).toBeVisible()
  await expectAccessible(page)

  // Under a firm's public rules the same trades are judged again.
  await page.getByRole('button', { name: 'Try a firm' }).click()
  await page.getByRole('combobox', { name: 'Firm' }).click()
  await page.getByRole('option').first().click()
  for (const name of ['Plan', 'Size', 'Phase']) {
    const choice = page.getByRole('combobox', { name })
    if ((await choice.innerText()) !== 'Choose') continue
    await choice.click()
    await page.getByRole('option').first().click()
  }
  await expect(page.getByRole('table', { name: 'Outcomes compared' }).getByRole('row').filter({ hasText: 'Days' }).getByRole('cell')).toHaveText([String(replay.days.length), String(replay.days.length)])

  // The odds are those of the seed, however often they are drawn.
  await page.getByRole('radio', { name: 'Simulation' }).click()
  await page.getByRole('button', { name: 'Run simulation' }).click()
  const odds = await askApi<AnswerOf<typeof ruleRoutes.odds>>(page, ruleRoutes.odds.path, { account: finance.id, rules: { own: true }, since: null, runs: 10_000, seed: 1 })
  if (odds.odds === null) await expect(page.getByText('Nothing to simulate')).toBeVisible()
  else await expect(page.getByRole('region', { name: 'Probability of passing' }).locator('dl').first()).toContainText(format.percent(odds.odds.passed))

  await page.reload()
  await page.getByRole('radio', { name: 'Status' }).click()
  const standing = (await readApi<AnswerOf<typeof ruleRoutes.rules>>(page, ruleRoutes.rules.path)).standings.find(({ account }) => account === finance.id)
  const stage = { evaluation: 'Evaluation', passed: 'Passed', funded: 'Funded', breached: 'Breached' }[standing?.stage ?? 'evaluation']
  await expect(page.getByRole('button', { name: `Stage of ${finance.name}: ${stage}` })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Drawdown limit' })).toBeVisible()
  await page.getByRole('button', { name: `Stage of ${finance.name}: ${stage}` }).click()
  await page.getByRole('menuitemradio', { name: 'Funded' }).click()
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByRole('button', { name: `Stage of ${finance.name}: Funded` })).toBeVisible()
  await goTo(page, '/dashboard')
  await expect(page.getByRole('region', { name: 'Accounts', exact: true }).getByRole('link', { name: finance.name })).toContainText('Funded')
})

onTheFloor('every page shows the alert of a trade that uses up a limit, and the log keeps it', { tag: '@nightly' }, async ({ page, broker }) => {
  onTheFloor.slow()
  await signUp(page)
  await connect(page, 'ava')
  const finance = (await financesOf(page)).find(({ name }) => name === accounts.ava)
  if (finance === undefined) throw new Error('Ava has the account')
  const set = statedSet({ maxLoss: null, dailyLoss: null, contracts: { all: 2, micros: 'whole', byProduct: [], scaling: [] } })
  await askApi(page, ruleRoutes.saveRules.path, { account: finance.id, set, presetId: null, since: null })
  await goTo(page, '/dashboard/Settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  trade(broker, accounts.ava, 'Buy', 'NQH6', 2)
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Max contracts: at least 95% used', { timeout: 90_000 })
  await expect(toast).toContainText(`${accounts.ava} · 0 contracts left`)
  await toast.getByRole('button', { name: 'Show alerts' }).click()
  const lines = page.getByRole('table', { name: 'Alert log' }).getByRole('row')
  await expect(lines.nth(1)).toContainText('2 of 2 contracts')

  // One beyond it is against the rule.
  trade(broker, accounts.ava, 'Buy', 'NQH6', 1)
  await expect(lines.nth(1)).toContainText('Max contracts: reached', { timeout: 90_000 })
  await expect(lines.nth(1)).toContainText('3 of 2 contracts')

  // Overview shows the same state.
  await goTo(page, '/dashboard')
  const card = page.getByRole('region', { name: 'Accounts', exact: true }).getByRole('link', { name: accounts.ava })
  await expect(card.getByRole('meter', { name: 'Max contracts' })).toHaveAttribute('aria-valuetext', 'Breached')
  await expect(card).toContainText('real-time')
})
