import { recordRoutes } from '#shared/api/journal.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { expect, type Page } from '@playwright/test'
import { button, goTo, signUp, test } from '../e2e/app-test.ts'
import { postApi, readApi } from '../e2e/broker-test.ts'
import { picture } from './picture.ts'
import { statedModel, statedNarrative, statedReport, statedSettings, stubReports, type StatedReports } from '../e2e/stated/stated-reports.ts'

const weekBefore = statedReport({ id: 'r2', period: { kind: 'week', from: '2026-11-09', to: '2026-11-13' }, createdAt: '2026-11-13T22:30:00.000Z', by: 'schedule', evident: 0, net: [{ currency: 'USD', amount: '-412.20' }], trades: 188, facts: statedReport().facts.map((fact) => ({ ...fact, measures: fact.measures.map((one) => ({ ...one, value: one.unit === 'money' ? (Number(one.value) * -0.37).toFixed(2) : one.unit === 'share' ? '0.414200' : one.value })) })), findings: statedReport().findings.filter(({ evidence }) => evidence !== 'evident') })
const month = statedReport({ id: 'r3', period: { kind: 'month', from: '2026-10-01', to: '2026-10-31' }, createdAt: '2026-11-01T22:30:00.000Z', accounts: ['a', 'b', 'c'], narrative: statedNarrative({ state: 'failed', passages: [], failure: 'key-refused', proved: 0, unproved: 0, tokens: null, cost: null }) })
const empty = statedReport({ id: 'r4', period: { kind: 'day', from: '2026-11-26', to: '2026-11-26' }, trades: 0, net: [], evident: 0, findings: [], facts: [], names: [], tried: 0 })

const show = async (page: Page, stated: StatedReports, next: Partial<StatedReports>, search = ''): Promise<void> => {
  Object.assign(stated, next)
  await goTo(page, `/dashboard/AIreport${search}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'AIreport' })).toBeVisible()
}

test('reports: findings, narrative, trades, comparison, settings', async ({ page }) => {
  await signUp(page)
  const stated: StatedReports = { reports: [statedReport(), weekBefore, month, empty], settings: statedSettings(), gone: 2, total: 64 }
  await stubReports(page, stated)
  await show(page, stated, {})
  await expect(page.getByRole('article').first()).toBeVisible()
  await picture(page, 'report')
  await page.locator('summary').filter({ hasText: 'not significant' }).click()
  await page.getByText('without enough data').click()
  await page.getByText('without enough data').scrollIntoViewIfNeeded()
  await picture(page, 'report-folded')
  await page.getByRole('article').first().getByRole('link', { name: '−$2,354.80 compared with the others' }).click()
  await expect(page.getByRole('dialog').getByRole('row').nth(1)).toBeVisible()
  await picture(page, 'report-trades')
  await page.keyboard.press('Escape')

  const writing = statedNarrative({ state: 'writing', endedAt: null, passages: [], draft: 'The period came in at […]. The figures show […], and a plan', proved: 0, unproved: 0, tokens: null, cost: null })
  await show(page, stated, { settings: statedSettings({ model: statedModel }) })
  await expect(page.getByRole('button', { name: 'Write', exact: true })).toBeVisible()
  await picture(page, 'report-model')
  await button(page, 'Write').click()
  await expect(page.getByRole('dialog').getByText('Instructions')).toBeVisible()
  await picture(page, 'report-preview')
  await show(page, stated, { reports: [statedReport({ narrative: writing }), weekBefore, month] })
  await picture(page, 'report-writing')
  await show(page, stated, { reports: [statedReport({ narrative: statedNarrative() }), weekBefore, month] })
  await expect(page.getByText('not proved', { exact: true })).toBeVisible()
  await picture(page, 'report-narrative')
  await show(page, stated, {}, '?report=r3')
  await picture(page, 'report-failed')
  await show(page, stated, {}, '?report=r2')
  await picture(page, 'report-nothing')
  await show(page, stated, {}, '?report=r1&with=r2')
  await expect(page.getByText('End comparison')).toBeVisible()
  await picture(page, 'report-compare')
  await show(page, stated, { reports: [empty] })
  await picture(page, 'report-no-trades')

  await button(page, 'Model settings').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'report-settings')
  await page.keyboard.press('Escape')
  await picture(page, 'report-schedule', async () => {
    await page.keyboard.press('Escape')
    await button(page, 'Schedule').click()
  })
})

test('reports where there are none, on their way, and not to be had', async ({ page }) => {
  await signUp(page)
  const stated: StatedReports = { reports: [], settings: statedSettings(), gone: 0, total: 0 }
  await stubReports(page, stated)
  await show(page, stated, {})
  await expect(page.getByText('Connect or import first')).toBeVisible()
  await picture(page, 'report-no-journal')
  const { currentUser } = await readApi<AnswerOf<typeof sessionRoutes.session>>(page, sessionRoutes.session.path)
  await postApi(page, recordRoutes.addTrade.path, { userId: currentUser?.uid, trade: { id: 'first', symbol: 'MESZ6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' } })
  await show(page, stated, {})
  await expect(page.getByText('No report yet')).toBeVisible()
  await picture(page, 'report-none')
  await page.unrouteAll()
  await page.route('**/api/reports', () => undefined)
  await show(page, stated, {})
  await picture(page, 'report-loading')
  await page.unrouteAll()
  await page.route('**/api/reports', (route) => route.fulfill({ status: 400, json: { success: false, error: 'Internal', code: 'internal' } }))
  await show(page, stated, {})
  await expect(page.getByText('Could not load this')).toBeVisible()
  await picture(page, 'report-not-loaded')
})
