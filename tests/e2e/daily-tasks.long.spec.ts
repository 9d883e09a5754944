import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { createFormat } from '#renderer/lib/format.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { goTo, test as base } from './app-test.ts'
import { connectOf, postApi, readApi } from './broker-test.ts'
import { beginGroup, followerOf, groupCard, openCopier, saveGroup } from './copier-test.ts'
import { dropOn, threeOf } from './import-files.ts'
import { overlapping, sideways } from './overlaps.ts'

// The guide has a table of the steps of each task; this test counts them.
const guide = readFileSync(new URL('../../docs/guide/tasks.md', import.meta.url), 'utf8')
const rows = guide.split('\n').flatMap((line) => (/\| \d+ \|$/.test(line) ? [line.split('|').map((cell) => cell.trim())] : []))
const statedTasks = rows.map(([, task]) => task)
const done: string[] = []

/** A pair of hands: a click and a key that leads on are a step each; a text is typed without one, where the focus is or by a click before. */
type Hands = Readonly<Record<'press' | 'type' | 'enter', (text: string) => Promise<void>>> & { readonly click: (target: Locator) => Promise<void> }

const test = base.extend<{ task: (name: string, work: (hands: Hands) => Promise<void>) => Promise<void> }>({
  task: async ({ page }, use) => {
    await use((name, work) =>
      base.step(name, async () => {
        let steps = 0
        await work({
          click: async (target) => {
            steps += 1
            await target.click()
          },
          press: async (key) => {
            steps += 1
            await page.keyboard.press(key)
          },
          type: (text) => page.keyboard.type(text),
          enter: async (text) => {
            await page.keyboard.type(text)
            await page.keyboard.press('Enter')
          },
        })
        done.push(name)
        expect.soft(steps, name).toBe(Number(rows.find(([, stated]) => stated === name)?.at(-2)))
      }),
    )
  },
})

const format = createFormat('en', 'America/Chicago')
const statistics = (page: Page, query = ''): Promise<StatisticsAnswer> => readApi(page, `/api/statistics?unit=trades${query}`)
const overview = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
}
/** Puts a picture of one color on the clipboard. */
const copyPicture = async (page: Page, color: string): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async (fill) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 960, height: 540 })
    const pen = canvas.getContext('2d')
    if (pen === null) throw new Error('No canvas')
    pen.fillStyle = fill
    pen.fillRect(0, 0, 960, 540)
    const bytes = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, 'image/png') })
    if (bytes !== null) await navigator.clipboard.write([new ClipboardItem({ 'image/png': bytes })])
  }, color)
}
const ofHash = (page: Page): URLSearchParams => new URLSearchParams(new URL(page.url()).hash.split('?')[1])

test('what a trader asks of a journal takes a few steps', { tag: '@nightly' }, async ({ page, task }) => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connectOf('MyFundedFutures', page)
  await expect(page.getByRole('region', { name: 'Last sync' })).toContainText('Trades are up to date')
  const { days } = await statistics(page)
  const today = days.at(-1)?.tradingDay ?? ''
  const at = (hour: string): string => `${today}T${hour}Z`
  await page.clock.setFixedTime(at('21:30:00'))
  const byNet = <Row extends { money: readonly { netPnl: string }[] }>(rows: readonly Row[]): Row | undefined => rows.toSorted((one, other) => Number(one.money[0]?.netPnl) - Number(other.money[0]?.netPnl))[0]
  const palette = page.getByRole('combobox', { name: 'Command palette' })
  /** Types what is searched for, and takes the first line once it is found. */
  const find = async ({ press }: Hands, text: string, first: RegExp): Promise<void> => {
    await press('Control+k')
    await expect(palette).toBeFocused()
    await page.keyboard.type(text)
    await expect(page.getByRole('option', { selected: true })).toHaveText(first)
    await page.keyboard.press('Enter')
  }

  await overview(page)
  await task('Today’s result and its proof', async ({ click }) => {
    const line = page.getByRole('region', { name: 'Today' })
    const { all } = await statistics(page, `&from=${today}&to=${today}`)
    await expect(line).toContainText(format.signedMoney(all.money[0]?.netPnl ?? ''))
    await expect(line).toContainText(format.count(all.count))
    await click(line.getByRole('link', { name: /^(Reconciled|Not settled yet|Not checked yet)$/ }))
    await expect(page.getByRole('heading', { name: 'Reconciliation' })).toBeVisible()
    expect(ofHash(page).get('from')).toBe(today)
  })

  await overview(page)
  await task('The worst product and hour, with their trades', async ({ click }) => {
    const worst = byNet((await statistics(page)).bySymbol)?.key ?? ''
    const hour = byNet((await statistics(page, `&symbols=${worst}`)).byHour)
    await click(page.getByRole('tab', { name: 'Breakdown' }))
    const last = page.getByRole('tabpanel').locator('tbody tr').last()
    await expect(last).toContainText(worst)
    await last.hover()
    await click(last.getByRole('button', { name: `Filter by ${worst}` }))
    await click(page.getByRole('radio', { name: 'Hour' }))
    const row = page.getByRole('tabpanel').locator('tbody tr').filter({ has: page.getByRole('cell', { name: format.signedMoney(hour?.money[0]?.netPnl ?? ''), exact: true }) }).first()
    const count = await row.getByRole('cell').nth(1).innerText()
    await click(row.getByRole('link'))
    await expect(page.getByText(new RegExp(`^${count} trades?$`))).toBeVisible()
    await expect(page.locator('[data-line="0"]')).toContainText(worst)
  })

  await overview(page)
  await task('All trades of last week tagged', async (hands) => {
    await find(hands, 'last week', /^Show \d+ trades in TradeLogbook/)
    const { from, to } = Object.fromEntries(ofHash(page))
    const { all } = await statistics(page, `&from=${String(from)}&to=${String(to)}`)
    expect(all.count).toBeGreaterThan(10)
    await hands.click(page.getByRole('checkbox', { name: 'Select all trades of the filter' }))
    await hands.click(page.getByRole('group', { name: 'Selected rows' }).getByLabel('Tag'))
    await hands.enter('breakout')
    await expect.poll(async () => (await statistics(page, '&tag=breakout')).all.count).toBe(all.count)
  })

  await overview(page)
  await task('A stop and its R', async ({ click, type, press }) => {
    const [latest] = (await statistics(page)).recent
    if (latest === undefined) throw new Error('There are trades')
    await click(page.getByRole('region', { name: 'Recent trades' }).locator('tbody tr').first())
    const dialog = page.getByRole('dialog')
    await click(dialog.getByLabel('Stop'))
    await type(String(latest.entryPrice + (latest.side === 'long' ? -1 : 1)))
    await expect(dialog.getByText(/[\d.]+ R\b/).first()).toBeVisible()
    await press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect.poll(async () => (await readApi<{ rows: { id: string; r: number | null }[] }>(page, '/api/trades')).rows.find(({ id }) => id === latest.id)?.r).not.toBeNull()
  })

  await overview(page)
  await task('A month’s longs in one product with one tag, and their total', async (hands) => {
    const tagged = await statistics(page, '&tag=breakout&side=long')
    const { key: product = '', count } = tagged.bySymbol.toSorted((one, other) => other.count - one.count)[0] ?? {}
    const [, month = ''] = tagged.days[0]?.tradingDay.split('-') ?? []
    await find(hands, `${product} long 2026-${month} breakout`, new RegExp(`^Show ${String(count)} trades? in TradeLogbook`))
    const of = await statistics(page, `&tag=breakout&side=long&symbols=${product}`)
    expect(of.all.count).toBe(count)
    await expect(page.locator('dl')).toContainText(`Net P&L${format.signedMoney(of.all.money[0]?.netPnl ?? '')}`)
  })

  // A day's note that was written before.
  await postApi(page, ownDataRoutes.setDayNote.path, { tradingDay: today, notes: 'Chased the open again, then stood aside.', tags: [] })
  await page.reload()
  await overview(page)
  await task('A day’s note found a week later', async (hands) => {
    await find(hands, 'stood aside', /^Note for/)
    await expect(page.getByRole('dialog').getByLabel('Notes')).toHaveValue('Chased the open again, then stood aside.')
  })
  await page.keyboard.press('Escape')

  await overview(page)
  await task('Two pictures of a trade, viewed large', async ({ click, press }) => {
    await click(page.getByRole('region', { name: 'Recent trades' }).locator('tbody tr').first())
    const picture = (which: string): Locator => page.getByRole('group', { name: `${which} picture` })
    await expect(picture('First')).toBeVisible()
    for (const [which, color] of [['First', '#26a69a'], ['Second', '#ef5350']] as const) {
      await copyPicture(page, color)
      await press('ControlOrMeta+V')
      await expect(picture(which).locator('img')).toBeVisible()
    }
    await click(page.getByRole('button', { name: 'Enlarge: First picture' }))
    await expect(page.getByRole('dialog').last().getByRole('img')).toBeVisible()
    await press('ArrowRight')
    await expect(page.getByText('2 of 2')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await overview(page)
  await task('Two accounts compared', async ({ click }) => {
    await click(page.getByRole('tab', { name: 'Compare' }))
    await click(page.getByRole('button', { name: /^Compare .*, / }))
    const { byAccount } = await statistics(page)
    const nets = byAccount.map(({ money }) => format.signedMoney(money[0]?.netPnl ?? ''))
    await expect(page.getByRole('tabpanel').getByRole('table').first()).toContainText(nets[0] ?? '')
    await expect(page.getByRole('tabpanel').getByRole('table').first()).toContainText(nets[1] ?? '')
  })

  await overview(page)
  await task('Distance to a drawdown limit under a firm’s rules', async ({ click, press }) => {
    await click(page.getByRole('region', { name: 'Accounts', exact: true }).getByRole('link').first())
    await click(page.getByRole('button', { name: 'Set rules' }))
    await click(page.getByRole('combobox', { name: 'Plan' }))
    await expect(page.getByRole('option').first()).toBeFocused()
    await press('Enter')
    // The account's name says its size.
    await expect(page.getByRole('combobox', { name: 'Size' })).toHaveText('$150,000')
    await click(page.getByRole('button', { name: 'Use these rules' }))
    await click(page.getByRole('button', { name: 'Save rules' }))
    await expect(page.getByRole('form', { name: 'Rules' }).getByRole('meter')).toBeVisible()
  })

  await overview(page)
  await task('A fee and a payout, by firm', async ({ click, enter }) => {
    await click(page.getByRole('link', { name: 'Operational' }))
    const dialog = page.getByRole('dialog', { name: 'New entry' })
    for (const [kind, amount] of [['expense', '165'], ['earning', '1,500.00']] as const) {
      await click(page.getByRole('button', { name: `Add ${kind}` }))
      await expect(dialog.getByLabel('Amount')).toBeFocused()
      await enter(amount)
      await expect(dialog).toHaveCount(0)
    }
    await expect(page.getByRole('row').filter({ hasText: 'MyFundedFutures' }).first()).toContainText('1,335.00')
  })

  // A dry run of the day, of which one buys and sells as the leader.
  const { accounts } = await readApi<AnswerOf<typeof brokerageRoutes.connectedAccounts>>(page, brokerageRoutes.connectedAccounts.path)
  const [leader = '', follower = ''] = accounts.filter(({ environment }) => environment === 'demo').map(({ name }) => name)
  await openCopier(page)
  await saveGroup(await beginGroup(page, 'Trial', leader, [follower]))
  const card = groupCard(page, 'Trial')
  await card.getByRole('button', { name: 'Start dry run of Trial' }).click()
  const leave = card.getByRole('button', { name: `Leave ${follower}` })
  const inSync = followerOf(page, follower).getByText('In sync')
  await expect(leave.or(inSync)).toBeVisible()
  if (await leave.isVisible()) await leave.click()
  await expect(inSync).toBeVisible()
  await card.getByRole('button', { name: 'Buy 1 MNQ' }).click()
  await expect(followerOf(page, follower).getByText('+1 simulated')).toBeVisible()
  await card.getByRole('button', { name: 'Sell 1 MNQ' }).click()
  await expect(followerOf(page, follower).getByText('+1 simulated')).toHaveCount(0)
  await overview(page)
  await task('A dry run read in words', async ({ click }) => {
    await click(page.getByRole('link', { name: 'TradeCopier' }))
    await click(page.getByRole('tab', { name: 'Ledger' }))
    await expect(page.getByText(/2 orders.*2 contracts/)).toBeVisible()
  })

  await overview(page)
  await task('A month’s report as PDF', async ({ click }) => {
    await click(page.getByRole('link', { name: 'AIreport' }))
    await click(page.getByRole('radio', { name: 'Month' }))
    await click(page.getByRole('button', { name: 'Create report' }))
    await click(page.getByRole('button', { name: 'Export' }))
    const pdf = page.waitForEvent('download')
    await click(page.getByRole('menuitem', { name: 'PDF' }))
    expect((await pdf).suggestedFilename()).toMatch(new RegExp(`^fillbook-report-${today.slice(0, 7)}-01-.*\\.pdf$`))
  })

  await overview(page)
  await task('An import and its undo', async ({ click }) => {
    const { count } = (await statistics(page)).all
    await dropOn(page, threeOf(threeFiles()))
    await click(page.getByRole('button', { name: /^Import( \d|$)/ }))
    await expect(page.getByText(/^Imported\./)).toBeVisible()
    expect((await statistics(page)).all.count).toBeGreaterThan(count)
    await click(page.getByRole('button', { name: 'Undo import', exact: true }))
    await expect.poll(async () => (await statistics(page)).all.count).toBe(count)
  })

  await overview(page)
  await task('The first trade by keyboard alone, in light mode, in Malayalam, at 200 %', async ({ press }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.evaluate(() => { localStorage.setItem('lang', 'ml-IND') })
    // A window of 1440 × 900 at 200 %.
    await page.setViewportSize({ width: 720, height: 450 })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ml-IN')
    await expect(page.locator('h1')).toBeVisible()
    await press('g')
    await press('l')
    await expect(page.locator('[data-line="0"]')).toBeVisible()
    await press('j')
    await expect(page.locator('[data-line="0"]')).toBeFocused()
    expect([...(await sideways(page)), ...(await overlapping(page))]).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.evaluate(() => { localStorage.setItem('lang', 'en') })
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.reload()
  })

  await overview(page)
  await task('The journal exported', async ({ click }) => {
    await click(page.getByRole('link', { name: 'Settings' }))
    await click(page.getByRole('tab', { name: 'Journal' }))
    const file = page.waitForEvent('download')
    await click(page.getByRole('link', { name: 'Export everything' }))
    expect((await file).suggestedFilename()).toMatch(/\.fillbook$/)
  })

  await overview(page)
  await task('The demo deleted', async ({ click }) => {
    await click(page.getByRole('link', { name: 'Settings' }))
    await click(page.getByRole('tab', { name: 'Demo profile' }))
    await click(page.getByRole('button', { name: /^Remove/ }))
    await click(page.getByRole('dialog').getByRole('button', { name: /^Remove/ }))
    await expect(page).toHaveURL(/\/auth\//)
  })
  expect(done).toEqual(statedTasks)
})
