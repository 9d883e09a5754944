import { expect, type Locator, type Page } from '@playwright/test'
import { goTo, signUp, test } from './app-test.ts'
import { connect, financesOf, labelOfAccount, labelsDialog, test as withBroker } from './broker-test.ts'
import { offerDesktop } from './desktop-bridge.ts'
import { importFiles, strangeFills } from './import-files.ts'

test.use({ begins: 'outside' })

const mostStops = 400

/** Where the focus is, and whether it can be seen there: by an outline or a ring of its own, or by the frame around a field that fills it. */
const stop = (page: Page): Promise<{ readonly where: string; readonly seen: boolean }> =>
  page.evaluate(() => {
    const at = document.activeElement
    if (at === null || at === document.body) return { where: 'the page', seen: true }
    const outlined = (element: Element | null, part?: string): boolean => element !== null && getComputedStyle(element, part).outlineStyle !== 'none' && parseFloat(getComputedStyle(element, part).outlineWidth) > 0
    const marked = outlined(at) || outlined(at, '::after') || outlined(at.parentElement) || (at.parentElement?.matches('[class*="has-focus-visible:border-accent"]') ?? false)
    // Of the button within a date the browser itself draws the outline.
    const within = at instanceof HTMLInputElement && at.type.startsWith('date')
    const { width, height } = at.getBoundingClientRect()
    const where = `${at.tagName} ${at.getAttribute('aria-label') ?? at.id} ${at.textContent.slice(0, 60)} ${location.hash}`
    return { where, seen: width > 1 && height > 1 && (marked || within) }
  })

/** Goes on by Tab until `target` has the focus, which must be seen at every stop on the way. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible()
  const passed: string[] = []
  while (passed.length < mostStops) {
    await page.keyboard.press('Tab')
    const { where, seen } = await stop(page)
    expect(seen, `the focus can be seen at ${where}`).toBe(true)
    if (await target.evaluate((element) => element === document.activeElement)) return
    passed.push(where)
  }
  throw new Error(`Tab does not reach ${String(target)}: ${passed.join('\n')}`)
}

const press = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Chooses from a select by the first letter of an option's name. */
const choose = async (page: Page, select: Locator, letter: string, option: string): Promise<void> => {
  await press(page, select)
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press(letter)
  await expect(page.getByRole('option', { name: option, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(select).toContainText(option)
}

test('from the first start over consent, labels and a note to the proof of a day without a mouse', { tag: '@nightly' }, async ({ page }) => {
  test.slow()
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name })
  const heading = (name: string): Locator => page.getByRole('heading', { name, level: 1, exact: true })
  await goTo(page, '/auth/signin')
  await press(page, button('Try it with the demo brokerage'))
  await expect(heading('Overview')).toBeVisible()

  // Past the sidebar in one step.
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await skip.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
  await press(page, page.getByRole('link', { name: 'Add Account' }))
  const connecting = page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })
  await expect(connecting).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(heading('AutoSync')).toBeVisible()
  const add = button('Add Account').first()
  await press(page, add)
  await expect(connecting).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Also import the past year' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Also import the past year' })).not.toBeChecked()
  await press(page, button('+ Add Account here'))
  await expect(page).toHaveURL(/^http:\/\/localhost:/)
  await press(page, button('Allow'))

  // The accounts ask for their types; the names show all but the firm, which is chosen once for all.
  const labels = labelsDialog(page)
  await expect(labels).toBeVisible()
  const [first] = (await financesOf(page)).filter(({ type }) => type === 'Account')
  const asked = labelOfAccount(page, first?.name ?? '')
  await page.keyboard.press('Escape')
  await expect(labels).toHaveCount(0)
  await press(page, button('Label your accounts'))
  await choose(page, asked.type, 'f', 'Funded Account')
  await choose(page, asked.type, 'e', 'Evaluation Account')
  await choose(page, labels.getByRole('combobox', { name: 'Firm for all accounts' }), 'o', 'Other')
  await press(page, labels.getByRole('button', { name: 'Save' }))
  await expect(labels).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Last sync' })).toContainText('Trades are up to date')

  // A trade, its note and its tag; the focus comes back to its line.
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(heading('TradeLogbook')).toBeVisible()
  const row = page.locator('[data-line="0"]')
  await expect(row).toContainText(/Long|Short/)
  await press(page, row)
  const trade = page.getByRole('dialog')
  await tabTo(page, trade.getByLabel('Notes'))
  await page.keyboard.type('Waited for the retest.')
  await tabTo(page, trade.getByLabel('Tags'))
  await page.keyboard.type('retest')
  await page.keyboard.press('Enter')
  await press(page, trade.getByRole('button', { name: 'Done' }))
  await expect(trade).toHaveCount(0)
  await expect(row).toBeFocused()
  // Nothing on the page holds the focus for good.
  await tabTo(page, skip)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
  expect((await stop(page)).seen).toBe(true)
  await page.keyboard.type('retest')
  await expect(page.getByRole('group', { name: 'Trades', exact: true }).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(trade.getByLabel('Notes')).toHaveValue('Waited for the retest.')
  await page.keyboard.press('Escape')
  await expect(trade).toHaveCount(0)

  // A filter by key, by panel, and away with it.
  await page.keyboard.press('/')
  await page.keyboard.type('zzz')
  await expect(page).toHaveURL(/symbol=zzz/)
  await press(page, button('More'))
  await tabTo(page, page.getByRole('checkbox', { name: 'Long' }))
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/side=long/)
  await page.keyboard.press('Escape')
  await expect(button('More')).toBeFocused()
  await press(page, button('Clear').first())
  await expect(row).toContainText(/Long|Short/)

  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(heading('Reconciliation')).toBeVisible()
  // The first line is the month's.
  await tabTo(page, page.locator('[data-line="0"]'))
  await page.keyboard.press('ArrowDown')
  const day = page.locator('[data-line="1"]')
  await expect(day).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page).toHaveURL(/day=\d{4}-\d{2}-\d{2}/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(day).toBeFocused()
})

withBroker('on every screen the focus can be seen at every stop, and comes round', { tag: '@nightly' }, async ({ page }) => {
  test.slow()
  await offerDesktop(page)
  await signUp(page)
  await importFiles(page, [strangeFills])
  await connect(page)
  const skip = page.getByRole('link', { name: 'Skip to content' })
  for (const [path, name] of [
    ['/dashboard', 'Overview'],
    ['/dashboard?view=calendar', 'Overview'],
    ['/dashboard?view=breakdown', 'Overview'],
    ['/dashboard/TradeLogbook', 'TradeLogbook'],
    ['/dashboard/Operational', 'Operational'],
    ['/dashboard/AutoSync', 'AutoSync'],
    ['/dashboard/AIreport', 'AIreport'],
    ['/dashboard/PositionScanner', 'PositionScanner'],
    ['/dashboard/PositionScanner?tab=rules', 'PositionScanner'],
    ['/dashboard/PositionScanner?tab=alerts', 'PositionScanner'],
    ['/dashboard/TradeCopier', 'TradeCopier'],
    ['/dashboard/Reconciliation', 'Reconciliation'],
    ['/dashboard/Import', 'Import'],
    ['/dashboard/ManageSubscription', 'Manage Subscription'],
    ['/dashboard/Settings', 'Settings'],
    ['/dashboard/Settings?section=points', 'Settings'],
    ['/dashboard/Settings?section=stops', 'Settings'],
    ['/dashboard/Settings?section=journal', 'Settings'],
    ['/dashboard/Settings?section=computer', 'Settings'],
  ] as const) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
    await skip.focus()
    await tabTo(page, skip)
  }
})
