import { expect, type Locator, type Page } from '@playwright/test'
import { narrativeFailure, reportRoutes, type Narrative, type Report } from '#shared/api/reports.ts'
import english from '#renderer/i18n/locales/en/ai-report.json' with { type: 'json' }
import { fails, says, startModelEndpoint, type ModelEndpoint } from '#tests/helpers/model-endpoint.ts'
import { button, expectAccessible, goTo, signUp, test } from './app-test.ts'
import { statedFindings, statedModel, statedNarrative, statedReport, statedSettings, statedTextOfBefore, stubReports, type StatedReports } from './stated/stated-reports.ts'

test.use({ begins: 'outside' })

const aiReport = '/dashboard/AIreport'
const dialog = (page: Page) => page.getByRole('dialog')
const narrative = (page: Page) => page.getByRole('region', { name: 'Narrative' })
const article = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const statedReports = (more: Partial<StatedReports> = {}): StatedReports => ({ reports: [statedReport()], settings: statedSettings(), gone: 0, total: 0, ...more })

const open = async (page: Page, answers: StatedReports, search = ''): ReturnType<typeof stubReports> => {
  await signUp(page)
  const asked = await stubReports(page, answers)
  await goTo(page, `${aiReport}${search}`)
  await expect(page.getByRole('heading', { name: 'AIreport' })).toBeVisible()
  return asked
}
const again = async (page: Page, search = ''): Promise<void> => {
  await goTo(page, `${aiReport}${search}`)
  await page.reload()
}

test('findings are ranked, say how sure they are in words, and what has too little is folded', { tag: '@nightly' }, async ({ page }) => {
  await open(page, statedReports())
  const cards = page.getByRole('region', { name: 'Findings' }).getByRole('article')
  await expect(cards).toHaveCount(statedFindings.filter(({ evidence }) => evidence === 'evident' || evidence === 'possible').length)
  await expect(article(page, '11:00 to 12:00')).toContainText(/−\$2,354\.80.*95% interval of this difference, after 63 tests: −\$3,310\.25 to −\$1,288\.00.*Significant.*as large by chance in one of 410 cases, after 63 tests.*38 trades/)
  await expect(article(page, 'Tuesday')).toContainText(/Could be chance.*as large by chance in 61% of cases, after 63 tests; it stands out only if the other tests are ignored/)
  await page.locator('summary').filter({ hasText: 'not significant' }).press('Enter')
  await page.locator('summary').filter({ hasText: '2 without enough data' }).press('Enter')
  await expect(article(page, 'Days with a rule breach')).toContainText(/Not enough data.*6 trades; a test needs 20 on each side, over 10 days/)
  const chart = page.getByRole('img', { name: '11:00 to 12:00: chart by group, with this finding at 11:00 to 12:00: −$1,912.40' })
  await expect(chart).toBeVisible()
  const table = page.locator(`[id="${(await chart.getAttribute('aria-details')) ?? ''}"]`).getByRole('row')
  await expect(table).toHaveCount(1 + (statedFindings[0]?.bars.filter(({ trades }) => trades > 0).length ?? 0))
  await expect(table.nth(12)).toHaveText(/11:00 to 12:00.*−\$1,912\.40/)
  await expectAccessible(page)
})

test('nothing significant, nothing to test, no trades and no report each have their own text', { tag: '@nightly' }, async ({ page }) => {
  const answers = statedReports({ reports: [statedReport({ evident: 0, findings: statedFindings.filter(({ evidence }) => evidence === 'none') })] })
  await open(page, answers)
  await expect(page.getByText('No pattern stands out from chance.')).toBeVisible()
  answers.reports = [statedReport({ evident: 0, tried: 0, findings: statedFindings.filter(({ evidence }) => evidence === 'too-little') })]
  await again(page)
  await expect(page.getByText('Not enough trades or days to tell a pattern from chance.')).toBeVisible()
  answers.reports = [statedReport({ trades: 0, net: [], findings: [], facts: [], names: [], evident: 0, tried: 0 })]
  await again(page)
  await expect(page.getByText('No trades in this period')).toBeVisible()
  await expectAccessible(page)
  answers.reports = []
  await again(page)
  await expect(page.getByText('Connect or import first')).toBeVisible()
  await expectAccessible(page)
  await again(page, '?report=other')
  await expect(page.getByText('This report no longer exists here')).toBeVisible()
  await button(page, 'Show latest').click()
  await expect(page.getByText('Connect or import first')).toBeVisible()
})

test('every figure is a link to its trades: of a card, of the groups, and of both reports of a comparison', { tag: '@nightly' }, async ({ page }) => {
  const before: Report = statedReport({ id: 'r2', period: { kind: 'week', from: '2026-11-09', to: '2026-11-13' } })
  await open(page, statedReports({ reports: [statedReport(), before], total: 3 }))
  const shows = async (figure: Locator, title: string): Promise<void> => {
    await figure.click()
    await expect(dialog(page).getByRole('heading', { name: `Trades behind: ${title}` })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(figure).toBeFocused()
  }
  const card = article(page, '11:00 to 12:00')
  for (const name of ['−$2,354.80 compared with the others', '95% interval of this difference, after 63 tests: −$3,310.25 to −$1,288.00', 'Trades entered from 11:00 to 12:00 made $2,354.80 less than the same number at other hours.']) await shows(card.getByRole('link', { name, exact: true }), '11:00 to 12:00')
  const groups = page.getByRole('table', { name: 'By product' })
  for (const name of ['+$610.10 of MES', '52.8% of MES']) await shows(groups.getByRole('link', { name, exact: true }), 'MES')
  await goTo(page, `${aiReport}?report=r1&with=r2`)
  const asked: string[] = []
  page.on('request', (request) => { if (request.url().includes(reportRoutes.reportTrades.path)) asked.push(new URL(request.url()).searchParams.get('id') ?? '') })
  const net = page.getByRole('region', { name: 'Totals', exact: true }).getByRole('row').filter({ hasText: 'Net P&L' }).getByRole('link')
  await shows(net.first(), 'Whole period')
  await expect(page).not.toHaveURL(/in=/)
  await shows(net.last(), 'Whole period')
  await shows(page.getByRole('region', { name: 'Groups' }).getByRole('row').filter({ hasText: 'MES' }).getByRole('link').first(), 'MES')
  await shows(page.getByRole('region', { name: 'Findings' }).getByRole('row').filter({ hasText: '11:00 to 12:00' }).getByRole('link').first(), '11:00 to 12:00')
  // The earlier report, the later one, and twice the earlier one; the later one stays on the page.
  expect(asked).toEqual(['r2', 'r1', 'r2', 'r2'])
  await expect(page).toHaveURL(/report=r1/)
  await expectAccessible(page)
})

test('the trades behind a figure come page by page, those that are gone are counted, and unknown figures open nothing', { tag: '@nightly' }, async ({ page }) => {
  await open(page, statedReports({ total: 64, gone: 2 }))
  await article(page, 'Soon after a loss').getByRole('link', { name: '41 trades' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Trades behind: Soon after a loss' })).toBeVisible()
  await expect(dialog(page)).toContainText('2 trades of this report no longer exist')
  await expect(dialog(page).getByRole('status')).toHaveText('1 – 50 of 64')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Older' }).click()
  await expect(dialog(page).locator('tbody tr')).toHaveCount(14)
  await expect(dialog(page).getByRole('status')).toHaveText('51 – 64 of 64')
  await expect(dialog(page).getByRole('button', { name: 'Older' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/of=/)
  await again(page, '?report=r1&of=f7')
  await expect(dialog(page).getByRole('heading', { name: 'Trades behind: 11:00 to 12:00' })).toBeVisible()
  await again(page, '?report=r1&of=f999')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
})

test('every failure of a narrative says what to do, and what came until then stays', { tag: '@nightly' }, async ({ page }) => {
  const none: Partial<Narrative> = { state: 'failed', passages: [], proved: 0, unproved: 0, tokens: null, cost: null }
  const answers = statedReports({ settings: statedSettings({ model: statedModel }) })
  await open(page, answers)
  for (const failure of narrativeFailure.options) {
    answers.reports = [statedReport({ narrative: statedNarrative({ ...none, failure }) })]
    await again(page)
    await expect(narrative(page)).toContainText(failure === 'gave-half' ? english.narrative['gave-nothing'] : english.failure[failure])
    await expect(narrative(page).getByRole('button', { name: 'Write again' })).toBeVisible()
  }
  answers.reports = [statedReport({ narrative: statedNarrative({ state: 'failed', failure: 'gave-half' }) })]
  await again(page)
  await expect(narrative(page)).toContainText(english.failure['gave-half'])
  await expect(narrative(page)).toContainText('9 figures proved')
  await expectAccessible(page)
  answers.reports = [statedReport({ narrative: statedNarrative({ ...none, state: 'cancelled' }) })]
  await again(page)
  await expect(narrative(page)).toContainText(english.narrative['cancelled-empty'])
  for (const word of ['Requests', 'Written', 'in place of those', 'proved']) await expect(narrative(page)).not.toContainText(word)
})

test('a text stays until another replaces it, and says when it was written; one without figures and names counts none', { tag: '@nightly' }, async ({ page }) => {
  const before = { model: 'an-older-model', writtenAt: '2026-11-19T22:31:00.000Z', ...statedTextOfBefore }
  const answers = statedReports({ settings: statedSettings({ model: statedModel }), reports: [statedReport({ narrative: statedNarrative({ state: 'failed', failure: 'program-ended', passages: [], proved: 0, unproved: 0, before }) })] })
  await open(page, answers)
  await expect(narrative(page)).toContainText(english.failure['program-ended'])
  await expect(narrative(page)).toContainText(/Previous narrative, written by an-older-model, .*9 figures proved.*What stands out/)
  await expect(narrative(page).getByRole('link', { name: 'EVAL-101 made $1,804.20' })).toBeVisible()
  await expectAccessible(page)
  answers.reports = [statedReport({ narrative: statedNarrative({ passages: [{ kind: 'paragraph', segments: [{ text: 'A quiet week.', check: 'plain', fact: null }] }], proved: 0, unproved: 0 }) })]
  await again(page)
  await expect(narrative(page)).toContainText('No figures')
  await expect(narrative(page)).not.toContainText(/0 figures|in place of those/)
})

test('Fillbook writes the figures of a narrative, each of which leads to its trades; what is not proved is marked once a sentence', { tag: '@nightly' }, async ({ page }) => {
  const answers = statedReports({ reports: [statedReport({ narrative: statedNarrative() })], total: 3 })
  await open(page, answers)
  await expect(narrative(page).getByRole('heading', { level: 3 })).toHaveText(['Overview', 'By hour'])
  await expect(narrative(page)).toContainText(/9 figures proved.*1 not proved/)
  await expect(narrative(page)).toContainText('The period came in at Nov 16 – Nov 20, 2026 (Net P&L +$2,918.44, 212 trades). The figures show EVAL-101 (Net P&L +$1,804.20), the highest of the accounts traded.')
  await expect(narrative(page)).toContainText('MES (Net P&L +$610.10), lower than NQ (Net P&L +$2,308.34).')
  await expect(narrative(page)).toContainText('11:00 to 12:00: Significant, as large by chance in one of 410 cases, after 63 tests.')
  await expect(narrative(page).locator('mark')).toHaveText(['Wednesdays cost', '$4,000'])
  await expect(narrative(page).getByText('not proved', { exact: true })).toHaveCount(1)
  await expect(narrative(page)).toContainText('The other words are the model’s.')
  for (const [name, title] of [['NQ (Net P&L +$2,308.34)', 'NQ'], ['11:00 to 12:00', '11:00 to 12:00']] as const) {
    await narrative(page).getByRole('link', { name, exact: true }).click()
    await expect(dialog(page).getByRole('heading', { name: `Trades behind: ${title}` })).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await expectAccessible(page)

  const free = [{ kind: 'paragraph' as const, segments: [{ text: 'You made $9,999 <b>net</b> [f1].', check: 'unproved' as const, fact: null }] }]
  answers.reports = [statedReport({ narrative: statedNarrative({ passages: free, proved: 0, unproved: 1 }) })]
  await again(page)
  await expect(narrative(page)).toContainText('Nothing in it is proved.')
  await expect(narrative(page).locator('mark')).toHaveText('You made $9,999 <b>net</b> [f1].')
  await expect(narrative(page).getByRole('link')).toHaveCount(0)
  await expectAccessible(page)

  answers.reports = [statedReport({ narrative: statedNarrative({ passages: [{ kind: 'paragraph', segments: [{ says: { fact: 'f99', figures: ['net'] }, check: 'unproved' }] }], proved: 0, unproved: 1 }) })]
  await again(page)
  await expect(narrative(page).locator('mark')).toHaveText('[no such figure]')
})

test('the narrative stays in view beside long findings', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, statedReports({ reports: [statedReport({ narrative: statedNarrative() })] }))
  for (const summary of await page.locator('summary').all()) await summary.click()
  await page.getByRole('article').last().scrollIntoViewIfNeeded()
  await expect(narrative(page).getByRole('heading', { name: 'Narrative' })).toBeInViewport()
  await expect(narrative(page).getByText('The period came in')).toBeInViewport()
})

test('a text that changed since it was shown is not sent, but shown again', { tag: '@nightly' }, async ({ page }) => {
  const { asked } = await open(page, statedReports({ settings: statedSettings({ model: statedModel }) }))
  let refused = 0
  await page.route(`**${reportRoutes.writeNarrative.path}`, (route) => {
    refused += 1
    return route.fulfill({ status: 409, json: { success: false, code: 'preview-changed', error: 'preview-changed' } })
  })
  await narrative(page).getByRole('button', { name: 'Write', exact: true }).click()
  await expect(dialog(page)).toContainText('About 4,210 tokens')
  await expect(dialog(page)).toContainText('About $0.0011, without the answer')
  await expectAccessible(page)
  const previews = (): number => asked.filter(({ path }) => path === reportRoutes.previewNarrative.path).length
  const before = previews()
  await dialog(page).getByRole('button', { name: 'Send to api.openai.com' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Review it again')
  await expect.poll(previews).toBe(before + 1)
  await expect(dialog(page).getByRole('button', { name: 'Send to api.openai.com' })).toBeEnabled()
  expect(refused).toBe(1)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(narrative(page).getByRole('button', { name: 'Write', exact: true })).toBeFocused()
})

test('two reports are shown side by side, the earlier one first, and a report is removed once that is confirmed', { tag: '@nightly' }, async ({ page }) => {
  const before: Report = statedReport({ id: 'r2', period: { kind: 'week', from: '2026-11-09', to: '2026-11-13' }, findings: statedFindings.filter(({ kind }) => kind !== 'hour'), facts: statedReport().facts.map((fact) => ({ ...fact, measures: fact.measures.map((one) => (one.name === 'net' ? { ...one, value: '100.00' } : one.name === 'win-rate' ? { ...one, value: '0.500000' } : one)) })) })
  const answers = statedReports({ reports: [statedReport(), before] })
  const { asked } = await open(page, answers)
  await button(page, 'Compare').click()
  await page.getByRole('menuitem', { name: /Nov 9 – Nov 13, 2026/ }).click()
  await expect(page).toHaveURL(/with=r2/)
  const totals = page.getByRole('region', { name: 'Totals', exact: true }).getByRole('row')
  await expect(totals.filter({ hasText: 'Net P&L' })).toHaveText(/\+\$100\.00\+\$2,918\.44\+\$2,818\.44/)
  await expect(totals.filter({ hasText: 'Win rate' })).toHaveText(/50\.0%52\.8%\+2\.8 points/)
  const findings = page.getByRole('region', { name: 'Findings' }).getByRole('row')
  await expect(findings.filter({ hasText: '11:00 to 12:00' })).toHaveText(/new–−\$2,354\.80–Significant/)
  await expectAccessible(page)
  await page.reload()
  await expect(totals.first()).toBeVisible()
  await button(page, 'End comparison').click()
  await expect(page.getByRole('article').first()).toBeVisible()

  const remove = `**${reportRoutes.removeReport.path}`
  await page.route(remove, (route) => route.fulfill({ status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } }))
  await button(page, 'Remove the report of Nov 16 – Nov 20, 2026').click()
  await dialog(page).getByRole('button', { name: 'Remove report' }).click()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await page.unroute(remove)
  await page.route(remove, (route) => {
    answers.reports = [before]
    return route.fulfill({ json: { removed: true } })
  })
  await dialog(page).getByRole('button', { name: 'Remove report' }).click()
  await expect(page.getByRole('heading', { name: 'Nov 9 – Nov 13, 2026' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Reports' }).getByRole('link')).toHaveCount(1)
  await expect(button(page, 'Compare')).toBeDisabled()
  expect(asked.filter(({ path }) => path === reportRoutes.removeReport.path)).toHaveLength(0)
})

test('a report is made by the keyboard alone, of chosen days, and a refusal is said', { tag: '@nightly' }, async ({ page }) => {
  await open(page, statedReports({ reports: [] }))
  await page.clock.setFixedTime(Date.parse('2026-11-18T15:00:00Z'))
  await page.reload()
  await expect(button(page, 'Days: Nov 9 – Nov 13, 2026')).toBeVisible()
  await page.getByRole('radio', { name: 'Day', exact: true }).press('Enter')
  await expect(button(page, 'Days: Nov 13, 2026')).toBeVisible()
  await button(page, 'Next period').press('Enter')
  await expect(button(page, 'Days: Nov 16, 2026')).toBeVisible()
  await page.getByRole('radio', { name: 'Month', exact: true }).press('Enter')
  await button(page, 'Previous period').press('Enter')
  await expect(button(page, 'Days: October 2026')).toBeVisible()
  await page.getByRole('radio', { name: 'Custom', exact: true }).press('Enter')
  await button(page, 'Days: Oct 1 – Oct 31, 2026').press('Enter')
  await page.getByLabel('From', { exact: true }).fill('2010-10-05')
  await expect(page.getByText('A report covers at most ten years.')).toBeVisible()
  await page.getByLabel('From', { exact: true }).fill('2026-11-05')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-11-05')
  await page.keyboard.press('Escape')
  const make = '**/api/reports'
  const bodies: unknown[] = []
  await page.route(make, (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    bodies.push(route.request().postDataJSON())
    return route.fulfill({ status: 403, json: { success: false, code: 'plan-needed', error: 'plan-needed' } })
  })
  await button(page, 'Create report').press('Enter')
  await expect(page.getByRole('form', { name: 'New report' }).getByRole('alert')).toBeVisible()
  expect(bodies).toEqual([{ period: { kind: 'free', from: '2026-11-05', to: '2026-11-05' }, accounts: [] }])
  await expectAccessible(page)
})

test.describe('with an endpoint', () => {
  const withEndpoint = test.extend<{ endpoint: ModelEndpoint }>({
    endpoint: async ({}, use) => {
      const endpoint = await startModelEndpoint()
      await use(endpoint)
      await endpoint.stop()
    },
  })
  withEndpoint.use({ begins: 'outside' })

  withEndpoint('a model is set, tried, moved and removed, and its key is only ever written', { tag: '@nightly' }, async ({ page, endpoint }) => {
    await signUp(page)
    await goTo(page, aiReport)
    await button(page, 'Model settings').click()
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog(page)).toContainText('Enter a model name.')
    // A button under the pointer is paler.
    await page.mouse.move(0, 0)
    await expectAccessible(page)
    await dialog(page).getByLabel('Provider').click()
    await page.getByRole('option', { name: 'Ollama on this computer' }).click()
    await expect(dialog(page).getByLabel('Base URL')).toHaveValue('http://127.0.0.1:11434/v1')
    await dialog(page).getByLabel('Base URL').fill(endpoint.baseUrl)
    await dialog(page).getByLabel('Model', { exact: true }).fill('story-teller')
    await dialog(page).getByLabel('Key', { exact: true }).fill('sk-first')
    endpoint.answer(fails(401), says('ok'))
    await dialog(page).getByRole('button', { name: 'Save and test' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText(english.failure['key-refused'])
    await dialog(page).getByRole('button', { name: 'Save and test' }).click()
    await expect(dialog(page).getByRole('status')).toHaveText('story-teller answered. The endpoint offers 2 models: another, story-teller.')
    expect(endpoint.calls.at(-1)?.headers.authorization).toBe('Bearer sk-first')
    await expectAccessible(page)
    await dialog(page).getByRole('checkbox', { name: 'Remove key' }).check()
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog(page)).toHaveCount(0)
    await button(page, 'Model settings: story-teller').click()
    await expect(dialog(page).getByRole('checkbox', { name: 'Remove key' })).toHaveCount(0)
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await expect(dialog(page)).toContainText('Remove the endpoint and its key?')
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await expect(button(page, 'Model settings: No model')).toBeVisible()
  })

  withEndpoint('switches schedule reports, and the page shows the next one', { tag: '@nightly' }, async ({ page }) => {
    await signUp(page)
    await goTo(page, aiReport)
    await button(page, 'Schedule').click()
    await expect(page.getByText('No report is scheduled.')).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Write a narrative too' })).toBeDisabled()
    await page.getByRole('switch', { name: 'Every week' }).click()
    await expect(page.getByText(/^Next: /)).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await button(page, 'Schedule').click()
    await expect(page.getByRole('switch', { name: 'Every week' })).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Every trading day' })).not.toBeChecked()
  })
})

test('in a narrow window nothing is cut off, long names too, and the reports are behind their button', { tag: '@nightly' }, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 })
  const month = statedReport({ id: 'r3', period: { kind: 'month', from: '2026-10-01', to: '2026-10-31' } })
  await open(page, statedReports({ reports: [statedReport({ narrative: statedNarrative() }), month], settings: statedSettings({ model: { ...statedModel, model: 'an-organisation-with-a-name/a-model-with-a-much-longer-name-than-any-70b-instruct' } }) }))
  await expect(page.getByRole('article').first()).toBeVisible()
  for (const summary of await page.locator('summary').all()) await summary.click()
  const wide = await page.evaluate(() => [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.closest('.sr-only') === null).map(({ outerHTML }) => outerHTML.slice(0, 80)))
  expect(wide).toEqual([])
  await button(page, 'Reports').click()
  await page.getByRole('link', { name: /October 2026/ }).click()
  await expect(page.getByRole('heading', { name: 'October 2026' })).toBeVisible()
})

test('a failed load is shown, and can be retried', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.route('**/api/reports', (route) => route.fulfill({ status: 400, json: { success: false, code: 'internal', error: 'internal' } }))
  await goTo(page, aiReport)
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/reports')
  await button(page, 'Try again').click()
  await expect(page.getByText('Connect or import first')).toBeVisible()
})
