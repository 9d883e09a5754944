import { statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { createFormat } from '#renderer/lib/format.ts'
import type { SyncGap } from '#shared/api/brokerage.ts'
import type { LeftOverNote } from '#shared/api/left-over.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { connect, postApi, readApi, test } from './broker-test.ts'
import { importFiles, strangeFills } from './import-files.ts'
import { state } from './stated/stated.ts'

test.use({ begins: 'outside' })

const format = createFormat('en', 'America/Chicago')

const statisticsOf = async (page: Page, query = ''): Promise<StatisticsAnswer> => statisticsRoutes.statistics.answer.parse(await readApi(page, `/api/statistics${query}`))
const pairsOf = async (page: Page, query = ''): Promise<number> => (await readApi<{ total: number }>(page, `${journalRoutes.pairPage.path}${query}`)).total
/** The part of the address after `#`. */
const place = (page: Page): string => new URL(page.url()).hash.slice(1)
const searchOf = (page: Page): string => (place(page).includes('?') ? place(page).slice(place(page).indexOf('?')) : '')

/** A journal with the whole session of the broker's first login. */
const fullJournal = async (page: Page, broker: { readonly walk: readonly { readonly at: number }[]; readonly clock: { readonly set: (at: number) => void } }): Promise<StatisticsAnswer> => {
  broker.clock.set(broker.walk.at(-1)?.at ?? 0)
  await signUp(page)
  await connect(page)
  await expect.poll(async () => (await statisticsOf(page)).bySymbol.length).toBeGreaterThan(2)
  await goTo(page, '/dashboard')
  return statisticsOf(page)
}

/** The figure under a name in the key figures. */
const figure = (page: Page, name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) }).first().locator('dd')

const tick = async (page: Page, panel: string, choice: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`^${panel}`) }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: choice, exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const expectFigures = async (page: Page, statistics: StatisticsAnswer): Promise<void> => {
  const [money] = statistics.all.money
  const counted = statistics.unit === 'pairs' ? 'fill pairs' : 'trades'
  await expect(figure(page, 'Win rate')).toContainText(`of ${format.count(statistics.all.count)}`)
  await expect(figure(page, 'Net P&L')).toContainText(format.signedMoney(money?.netPnl ?? ''))
  await expect(figure(page, 'Gross P&L')).toContainText(format.signedMoney(money?.grossPnl ?? ''))
  await expect(figure(page, 'Commissions & fees')).toContainText(format.money(money?.commission ?? ''))
  await expect(figure(page, 'Win rate')).toContainText(format.percent(statistics.all.winRate ?? Number.NaN))
  await expect(figure(page, 'Profit factor')).toContainText(typeof money?.profitFactor !== 'number' ? '–' : format.ratio(money.profitFactor))
  await expect(figure(page, 'Expectancy')).toContainText(format.signedMoney(money?.expectancy ?? ''))
  await expect(figure(page, 'Avg win')).toContainText(typeof money?.averageWin !== 'string' ? '–' : format.signedMoney(money.averageWin))
  await expect(figure(page, 'Largest loss')).toContainText(typeof money?.largestLoss !== 'string' ? '–' : format.signedMoney(money.largestLoss))
  await expect(figure(page, 'Longest win streak')).toHaveText(`${format.count(statistics.streaks.longestWins)}${counted}`)
  await expect(figure(page, 'Avg hold time')).toContainText(format.duration(statistics.all.hold.all ?? Number.NaN))
}

test('one filter holds in the address across Overview and TradeLogbook, through back, forward and reload', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  const all = await fullJournal(page, broker)
  await expectFigures(page, all)
  const symbol = all.bySymbol.find(({ count }) => count > 1)?.key ?? ''

  await tick(page, 'Symbols', symbol)
  await expect.poll(() => searchOf(page)).toBe(`?symbols=${symbol}`)
  const ofSymbol = await statisticsOf(page, `?symbols=${symbol}`)
  expect(ofSymbol.all.count).toBeLessThan(all.all.count)
  await expectFigures(page, ofSymbol)
  await page.getByRole('radio', { name: 'Fill pairs' }).click()
  await tick(page, 'More', 'Long')
  const search = `?unit=pairs&symbols=${symbol}&side=long`
  await expect.poll(() => searchOf(page)).toBe(search)
  const statistics = await statisticsOf(page, search)
  await expectFigures(page, statistics)

  await page.getByRole('link', { name: 'TradeLogbook' }).click()
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  expect(searchOf(page)).toBe(search)
  const rows = page.locator('tbody tr[data-line]')
  await expect(rows).toHaveCount(await pairsOf(page, search))
  expect(statistics.all.count).toBe(await pairsOf(page, search))
  await expect(rows.filter({ hasText: symbol }).filter({ hasText: 'Long' })).toHaveCount(statistics.all.count)
  await page.reload()
  await expect(rows).toHaveCount(statistics.all.count)
  const chips = page.getByRole('list', { name: 'Active filters' })
  await expect(chips.getByRole('button', { name: `Remove the filter Symbol ${symbol}` })).toBeVisible()

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expectFigures(page, statistics)
  await page.goBack()
  await expect(chips).not.toContainText('Long')
  await page.goBack()
  await expect(chips).toHaveCount(0)
  // What is counted was chosen since and is remembered; going back does not take that back.
  await expectFigures(page, await statisticsOf(page, '?unit=pairs'))
  await page.goForward()
  await expect(chips).toContainText(symbol)
  await page.goForward()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  expect(searchOf(page)).toBe(search)

  await chips.getByRole('button', { name: 'Remove the filter Side Long' }).click()
  await expect.poll(() => searchOf(page)).toBe(`?unit=pairs&symbols=${symbol}`)
  await expect(rows).toHaveCount(await pairsOf(page, `?symbols=${symbol}`))
  // What is elsewhere on the way does not lose it.
  await page.getByRole('link', { name: 'AutoSync' }).click()
  await expect(page.getByRole('heading', { name: 'AutoSync' })).toBeVisible()
  expect(searchOf(page)).toBe('')
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect.poll(() => searchOf(page)).toBe(`?unit=pairs&symbols=${symbol}`)
  await chips.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => searchOf(page)).toBe('?unit=pairs')
  await expectFigures(page, await statisticsOf(page, '?unit=pairs'))
})

test('what is typed, accounts by firm, and dates filter too, and a filter that leaves nothing says so and offers to clear it', { tag: '@nightly' }, async ({ page, broker }) => {
  const all = await fullJournal(page, broker)
  await expectFigures(page, all)
  const [account] = all.byAccount
  await page.keyboard.press('/')
  await expect(page.getByLabel('Filter by symbol')).toBeFocused()
  await page.keyboard.type('zzz')
  await expect(page.getByText('No trade matches the filter')).toBeVisible()
  await page.goBack()
  await page.goForward()
  await expect(page.getByLabel('Filter by symbol')).toHaveValue('zzz')
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expectFigures(page, all)
  await expect(page.getByLabel('Filter by symbol')).toHaveValue('')

  await page.getByRole('button', { name: /^Accounts/ }).click()
  await expect(page.getByRole('checkbox', { name: 'Other' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('checkbox', { name: 'Other' })).not.toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect.poll(() => new URLSearchParams(searchOf(page)).getAll('accounts').length).toBe(broker.logins[0]?.accounts.length)
  await expect(page.getByRole('checkbox', { name: 'Other' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Other' }).press('Space')
  await expect.poll(() => searchOf(page)).toBe('')
  await page.getByRole('checkbox', { name: account?.name ?? '' }).click()
  await page.keyboard.press('Escape')
  await expectFigures(page, await statisticsOf(page, `?accounts=${encodeURIComponent(account?.key ?? '')}`))

  await page.getByRole('button', { name: /^Dates/ }).click()
  const span = (): string => `${new URLSearchParams(searchOf(page)).get('from') ?? ''} ${new URLSearchParams(searchOf(page)).get('to') ?? ''}`
  await page.getByLabel('From', { exact: true }).fill('2026-01-22')
  await page.getByLabel('To', { exact: true }).fill('2026-02-20')
  await expect.poll(span).toBe('2026-01-22 2026-02-20')
  const typeInto = async (label: string, keys: string, delay = 0): Promise<void> => {
    await page.getByLabel(label, { exact: true }).focus()
    await page.keyboard.type(keys, { delay })
  }
  await typeInto('From', '1001202')
  expect(span()).toBe('2026-01-22 2026-02-20')
  await page.keyboard.type('6')
  await typeInto('To', '10312026', 120)
  await page.keyboard.press('Enter')
  await expect.poll(span).toBe('2026-10-01 2026-10-31')
  await typeInto('From', '01152026')
  await page.keyboard.press('Escape')
  await expect.poll(span).toBe('2026-01-15 2026-10-31')
  await page.getByRole('button', { name: /^Dates/ }).click()
  await typeInto('To', '03032026')
  await page.getByRole('heading', { name: 'Overview' }).click()
  await expect.poll(span).toBe('2026-01-15 2026-03-03')
  await page.getByRole('button', { name: /^Dates/ }).click()
  await typeInto('From', '0228')
  await page.keyboard.press('Backspace')
  await page.getByLabel('To', { exact: true }).focus()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-01-15')
  expect(span()).toBe('2026-01-15 2026-03-03')
  for (const key of ['Backspace', 'ArrowRight', 'Backspace', 'ArrowRight', 'Backspace']) await page.keyboard.press(key)
  expect(span()).toBe('2026-01-15 2026-03-03')
  await page.getByLabel('From', { exact: true }).focus()
  await expect.poll(span).toBe('2026-01-15 ')
  await page.getByLabel('From', { exact: true }).fill('2026-02-14')
  await page.keyboard.press('Escape')
  await expect.poll(() => new URLSearchParams(searchOf(page)).get('from')).toBe('2026-02-14')
  await expect(page.getByText('No trade matches the filter')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Since Feb 14, 2026')
})

test('the views go by keyboard and stand in the address; a day and a line lead on', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  const all = await fullJournal(page, broker)
  await page.getByRole('tab', { name: 'Summary' }).focus()
  for (const [name, view] of [['Calendar', 'calendar'], ['Breakdown', 'breakdown'], ['Risk', 'risk']] as const) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tab', { name })).toBeFocused()
    expect(searchOf(page)).toBe(`?view=${view}`)
  }
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Risk' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText(`${String(all.all.count)} trades have no stop set`)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Breakdown' })).toHaveAttribute('aria-selected', 'true')

  // Sorted by net: the lines are those of the answer, the best first.
  const lines = page.getByRole('tabpanel').locator('tbody tr')
  const byNet = all.bySymbol.toSorted((one, other) => Number(other.money[0]?.netPnl) - Number(one.money[0]?.netPnl))
  await expect(lines).toHaveCount(byNet.length)
  for (const [at, { key, count, money }] of byNet.entries()) {
    await expect(lines.nth(at)).toContainText(key)
    await expect(lines.nth(at).locator('td').nth(1)).toHaveText(format.count(count))
    await expect(lines.nth(at).locator('td').nth(4)).toHaveText(format.signedMoney(money[0]?.netPnl ?? ''))
    await expect(lines.nth(at).locator('td').nth(5)).toHaveText(format.signedMoney(money[0]?.expectancy ?? ''))
  }
  await page.getByRole('button', { name: 'Trades', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Trades', exact: true })).toHaveAttribute('aria-sort', 'descending')
  const best = byNet[0]?.key ?? ''
  await page.getByRole('button', { name: `Filter by ${best}` }).press('Enter')
  await expect.poll(() => new URLSearchParams(searchOf(page)).getAll('symbols')).toEqual([best])
  await expect(lines).toHaveCount(1)

  await page.getByRole('radio', { name: 'Hour' }).click()
  const inTokyo = page.waitForRequest((request) => new URL(request.url()).searchParams.get('zone') === 'Asia/Tokyo')
  await page.getByRole('button', { name: /^Time zone for weekdays and hours/ }).click()
  await page.getByLabel('Another time zone').fill('Asia/Tokyo')
  await inTokyo
  await page.keyboard.press('Escape')
  const hours = (await statisticsOf(page, `?symbols=${best}&zone=Asia/Tokyo`)).byHour
  await expect(lines).toHaveCount(hours.length)
  await expect(lines.first()).toContainText(`${String(hours[0]?.key).padStart(2, '0')}:00`)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Time zone for weekdays and hours: Asia/Tokyo' })).toBeVisible()

  // A line opens the trades that it counts, by the clock that it was counted by.
  const [first] = hours
  await lines.first().getByRole('link', { name: /^Show trades: / }).click()
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await expect(page.getByText(`${format.count(first?.count ?? 0)} ${first?.count === 1 ? 'trade' : 'trades'}`, { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Tokyo')
  await page.goBack()

  await page.getByRole('tab', { name: 'Calendar' }).click()
  const day = (await statisticsOf(page, `?symbols=${best}`)).days[0]
  await expect(page.getByRole('heading', { name: 'February 2026' })).toBeVisible()
  // A Saturday without trades is open to a click anywhere in its cell.
  await page.getByRole('cell', { name: /^7 Write a note/ }).click({ position: { x: 12, y: 60 } })
  await page.getByLabel('Notes for the day').fill('Reviewed the week.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Open the note for ${format.fullDay('2026-02-07')}` })).toBeVisible()
  await page.getByRole('link', { name: `Show the trades of ${format.fullDay(day?.tradingDay ?? '')}` }).click()
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  expect(Object.fromEntries(new URLSearchParams(searchOf(page)))).toEqual({ from: day?.tradingDay, to: day?.tradingDay, symbols: best, unit: 'trades' })
  await expect(page.locator('tbody tr[data-line]')).toHaveCount(day?.count ?? -1)
})

test('what a notice counts is what its link opens: uncertain trades, guessed point values, missed sessions, left-over notes', { tag: '@nightly' }, async ({ page }) => {
  const gap = (accountId: string, tradingDay: string): SyncGap => ({ accountId, accountName: `Eval ${accountId}`, tradingDay, from: `${tradingDay}T15:00:00.000Z`, to: `${tradingDay}T22:00:00.000Z` })
  const left = (id: string): LeftOverNote => ({
    id, tradingDay: '2026-02-12', accountId: 'a', account: 'Eval a', symbol: null, side: null, qty: null, entryTime: null, exitTime: null, entryPrice: null, exitPrice: null, removal: false, pairId: null,
    notes: `left ${id}`, tags: [], screenshot: '', screenshotHeadline: '', screenshot2: '', screenshot2Headline: '', stop: null,
  })
  await signUp(page)
  await state(page, { gaps: () => [gap('a', '2026-02-12'), gap('b', '2026-02-12'), gap('a', '2026-02-11')] })
  await page.route('**/api/left-over-notes*', (route) => route.fulfill({ json: { notes: [left('one'), left('two')] } }))
  await importFiles(page, [['Fills.csv', threeFiles().fills], strangeFills])
  for (const unit of ['trades', 'pairs']) {
    await goTo(page, `/dashboard?unit=${unit}&side=long`)
    const { warned, all } = await statisticsOf(page, `?unit=${unit}&side=long`)
    expect(warned).toBeGreaterThan(0)
    expect(warned).toBeLessThan(all.count)
    const named = unit === 'trades' ? 'trade' : 'fill pair'
    const notice = page.getByText(new RegExp(`^${String(warned)} ${named}s? rests? on uncertain data`))
    await expect(notice).toBeVisible()
    await page.getByRole('link', { name: warned === 1 ? 'Show it' : 'Show them', exact: true }).click()
    await expect(page).toHaveURL(/TradeLogbook\?side=long&warned=only/)
    await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Uncertain data')
    await expect(page.getByText(`${String(warned)} ${named}${warned === 1 ? '' : 's'}`, { exact: true })).toBeVisible()
    await expect(page.locator('tbody tr[data-line]').filter({ hasText: 'XQZH6' })).toHaveCount(1)
  }
  await page.getByRole('button', { name: 'Remove the filter Uncertain data only' }).click()
  await expect(page).not.toHaveURL(/warned/)
  await page.getByText('2 notes are left over').locator('../..').getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: /left (one|two)/ })).toHaveCount(2)
  await page.keyboard.press('Escape')

  await goTo(page, '/dashboard')
  await expect(page.getByText('The point value of XQZ is unknown, so the P&L of 1 fill pair is a guess.')).toBeVisible()
  await page.getByRole('link', { name: 'Enter point value' }).click()
  await expect(page.getByRole('form', { name: 'XQZ' })).toContainText('1 fill pair in XQZH6')
  await goTo(page, '/dashboard')
  await expect(page.getByText('Fillbook missed 2 sessions, the latest on Feb 12, 2026.')).toBeVisible()
  await page.getByRole('link', { name: 'Open AutoSync' }).click()
  // The question for the imported account's type lies over it.
  await expect(page.getByText('2 sessions may be missing fills')).toBeVisible()
  await expect(page.locator('ul[aria-label="Missed sessions"] > li')).toHaveCount(2)
})

test('a stop makes a multiple of risk', { tag: '@nightly' }, async ({ page, broker }) => {
  await fullJournal(page, broker)
  const { rows } = journalRoutes.pairPage.answer.parse(await readApi(page, '/api/fill-pairs?side=long'))
  const [trade] = rows
  await postApi(page, recordRoutes.updateTrade.path, { userId: trade?.userId, id: trade?.id, updates: { stop: String((trade?.entryPrice ?? 0) - 10) } })
  await goTo(page, '/dashboard?view=risk&unit=pairs')
  const statistics = await statisticsOf(page, '?unit=pairs')
  expect(statistics.all.r.count).toBe(1)
  await expect(figure(page, 'Fill pairs with a stop')).toHaveText(`1of ${format.count(statistics.all.count)}`)
  await expect(figure(page, 'Total R')).toContainText(`${format.signedRatio(statistics.all.r.sum)} R`)
  await expect(page.getByRole('region', { name: 'R-multiples' }).locator('tbody tr')).toHaveCount(1)
  await expect(page.getByText(`${format.count(statistics.all.count - 1)} fill pairs have no stop set`)).toBeVisible()
})

test('sides are reached and chosen in the Overview, stand in the address, and open their trades; lines of the breakdown can be compared', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  const all = await fullJournal(page, broker)
  const [most, second] = all.bySymbol.toSorted((one, other) => other.count - one.count).map(({ key }) => key) as [string, string]
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByRole('radio', { name: 'Products' }).click()
  await page.getByRole('button', { name: new RegExp(`^Compare ${most}, ${second}`) }).click()
  const row = (name: RegExp) => page.getByRole('tabpanel').getByRole('row', { name }).getByRole('cell')
  for (const [at, symbol] of [most, second].entries()) {
    const statistics = await statisticsOf(page, `?symbols=${symbol}`)
    await expect(row(/^Net P&L/).nth(at)).toContainText(format.signedMoney(statistics.all.money[0]?.netPnl ?? ''))
    await expect(row(/^Trades/).nth(at)).toContainText(format.count(statistics.all.count))
  }
  await expect(page.getByRole('img', { name: /^Equity curves in USD\. A, / })).toBeVisible()
  await page.getByRole('radio', { name: 'Day number' }).click()
  const chosen = place(page)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Day number' })).toBeChecked()
  await expect(row(/^Net P&L/).nth(1)).toContainText(/\d/)
  await expectAccessible(page)

  const statistics = await statisticsOf(page, `?symbols=${second}`)
  await page.getByRole('link', { name: `Show trades: ${second}` }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboard/TradeLogbook\\?symbols=${second}&unit=trades$`))
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText(second)
  expect((await readApi<{ total: number }>(page, `${journalRoutes.tradePage.path}?symbols=${second}`)).total).toBe(statistics.all.count)
  await page.goBack()
  expect(place(page)).toBe(chosen)
  await expect(row(/^Trades/)).toHaveCount((new URLSearchParams(searchOf(page))).getAll('with').length)
  await page.goBack()
  await expect(page.getByText('Nothing to compare yet')).toBeVisible()

  await page.getByRole('tab', { name: 'Breakdown' }).click()
  for (const symbol of [second, most]) await page.getByRole('checkbox', { name: `Select ${symbol} to compare` }).click()
  await page.getByRole('button', { name: 'Compare 2 selected' }).click()
  await expect(page.getByRole('list', { name: 'Sides' }).getByRole('listitem')).toHaveText([new RegExp(second), new RegExp(most)])
})

test('every view is accessible, with the filter on and its panels open, and the filter keeps to one line at 1024', { tag: '@nightly' }, async ({ page, broker }) => {
  test.slow()
  await fullJournal(page, broker)
  for (const view of ['summary', 'calendar', 'breakdown', 'risk', 'compare']) {
    await goTo(page, `/dashboard?view=${view}&side=long`)
    await expect(page.getByRole('tab', { selected: true })).toHaveText(view[0]?.toUpperCase() + view.slice(1))
    await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Long')
    await expectAccessible(page)
  }
  for (const panel of ['Dates', 'Accounts', 'More']) {
    await page.getByRole('button', { name: new RegExp(`^${panel}`) }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
  await goTo(page, '/dashboard?view=breakdown&by=hour')
  await page.getByRole('button', { name: /^Time zone for weekdays/ }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1024, height: 768 })
  for (const path of ['/dashboard', '/dashboard/TradeLogbook']) {
    await goTo(page, path)
    const bar = page.getByRole('search')
    await expect(bar.getByRole('button', { name: 'More' })).toBeVisible()
    const tops = await bar.locator('input, button').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top)))
    expect(new Set(tops).size, path).toBe(1)
    expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  }
})
