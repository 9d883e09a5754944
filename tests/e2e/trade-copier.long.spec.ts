import { expect } from '@playwright/test'
import { ledgerCsvPath } from '#shared/api/copier.ts'
import { copierLive, follower, group, liveGroup, rule, stance } from '#tests/helpers/copier-live.ts'
import { expectAccessible, read, signUp } from './app-test.ts'
import { connect } from './broker-test.ts'
import { accounts, armForReal, beginGroup, contracts, followerOf, groupCard, heldAt, openCopier, saveGroup, stanceOf, test, trade } from './copier-test.ts'
import { state } from './stated/stated.ts'
import { takePushes } from './stated/pushes.ts'
import { copierAccounts, copierReading } from './stated/stated-copier.ts'

test.use({ begins: 'outside' })

const { leader, ava, other } = accounts
const { NQ } = contracts

test('positions that were open at the start are asked about, a hand and a hedge are said, a pause only reduces', async ({ page, broker }) => {
  test.slow()
  await signUp(page)
  await connect(page, 'ava', 'ben')
  trade(broker, leader, 'Buy', NQ)
  await openCopier(page)
  const dialog = await beginGroup(page, 'Edges', leader, [ava])
  await dialog.getByRole('switch', { name: 'Dry run' }).click()
  await saveGroup(dialog)
  const card = groupCard(page, 'Edges')
  await armForReal(page, 'Edges')

  // The leader has an earlier position: it is left alone, and only new trades are copied.
  await expect(card.getByRole('heading', { name: 'Positions were open at the start' })).toBeVisible()
  await expect(followerOf(page, ava).getByText('Needs your decision').first()).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: `Leave ${ava}` }).press('Enter')
  await expect(card.getByRole('heading', { name: 'Positions were open at the start' })).toHaveCount(0)
  await expect(followerOf(page, ava).getByText('In sync')).toBeVisible()
  trade(broker, leader, 'Buy', NQ)
  await expect.poll(() => heldAt(broker, ava, NQ)).toBe(1)

  // Somebody trades in the follower by hand.
  trade(broker, ava, 'Sell', NQ)
  await expect(followerOf(page, ava).getByText('Out of sync')).toBeVisible()
  await expect(followerOf(page, ava).getByText(/Someone traded this account manually/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Bring back ${ava}` }).press('Enter')
  await expect.poll(() => heldAt(broker, ava, NQ)).toBe(1)
  await expect(followerOf(page, ava).getByText('In sync')).toBeVisible()

  // Paused it adds nothing, and still reduces.
  await card.getByRole('button', { name: 'Pause Edges' }).press('Enter')
  await expect(card.getByText('Paused', { exact: true })).toBeVisible()
  trade(broker, leader, 'Buy', NQ)
  await expect.poll(async () => (await stanceOf(page, ava)).slice(0, 3)).toEqual([NQ, '+2', '+1'])
  expect(heldAt(broker, ava, NQ)).toBe(1)
  trade(broker, leader, 'Sell', NQ, 2)
  await expect.poll(() => heldAt(broker, ava, NQ)).toBe(0)
  await card.getByRole('button', { name: 'Resume Edges' }).press('Enter')
  await expect(card.getByText('Armed', { exact: true })).toBeVisible()

  // Another account of the same user has the opposite position.
  trade(broker, other, 'Sell', NQ)
  trade(broker, leader, 'Buy', NQ)
  await expect(followerOf(page, ava).getByText(/Would hedge|[Hh]olds? the opposite/).first()).toBeVisible()
  expect(heldAt(broker, ava, NQ)).toBe(0)

  // All of it as a file.
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', new RegExp(`^${ledgerCsvPath}`))
  const csv = await (await read(page, ledgerCsvPath)).text()
  // The file names accounts by their keys.
  expect(csv.split('\r\n').filter((line) => line.includes(`tradovate:demo:${ava.replace('DEMO', '')}`)).length).toBeGreaterThan(3)
})

test('fifty followers that change four times a second keep the page free', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const [first] = copierAccounts
  const key = (at: number): string => `tradovate:demo:${String(1_000 + at)}`
  const keys = Array.from({ length: 50 }, (_, at) => key(at + 1))
  const lead = { ...first, id: key(0), name: 'LEADER' } as (typeof copierAccounts)[number]
  await state(page, { accounts: () => [lead, ...keys.map((id, at) => ({ ...lead, id, name: `EVAL-${String(at + 1).padStart(3, '0')}` }))] })
  let seq = 0
  const live = () => {
    seq += 1
    return copierLive(seq, [liveGroup('g', keys.map((account, at) => follower(account, { latencyMs: 2 + ((seq + at) % 9), contracts: [stance({ target: seq, actual: seq - (at % 2), inFlight: at % 2 })], day: { net: `${String(seq * 10 - at)}.00`, currency: 'USD', openAgeMs: 0 } })), { leader: [{ contract: 'NQZ6', net: seq }] })])
  }
  await page.route(/\/api\/copier$/, (route) => route.fulfill({ json: copierReading({ groups: [group('g', key(0), keys.map((account) => rule(account)), { name: 'Fifty' })], live: live() }) }))
  const push = await takePushes(page)
  await openCopier(page)
  await page.reload()
  await expect(page.getByText('EVAL-050')).toBeVisible()
  await expectAccessible(page)

  const session = await page.context().newCDPSession(page)
  const tasks: number[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    // The time of the processor, not of the clock: other programs of a busy machine are not the page's fault.
    for (const { name, tdur } of value as unknown as { name: string; tdur?: number }[]) if (name === 'ThreadControllerImpl::RunTask' || name === 'RunTask') tasks.push((tdur ?? 0) / 1_000)
  })
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] } })
  for (let at = 0; at < 20; at += 1) {
    await push({ type: 'copier', live: live() })
    await expect(page.locator('tbody').filter({ hasText: 'EVAL-001' }).first()).toContainText(`+${String(seq)}`)
  }
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => { resolve() }))
  await session.send('Tracing.end')
  await complete
  expect(tasks.length).toBeGreaterThan(100)
  const longest = Math.max(...tasks)
  test.info().annotations.push({ type: 'longest task, ms', description: longest.toFixed(1) })
  expect(longest).toBeGreaterThan(1)
  // On a quiet machine it is below 50; what blocks the page takes many times as long on any.
  expect(longest).toBeLessThan(300)
})
