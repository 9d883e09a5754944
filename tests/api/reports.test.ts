import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordRoutes } from '#shared/api/journal.ts'
import { reportRoutes } from '#shared/api/reports.ts'
import { startApp, startSharedApp, type App } from '#tests/helpers/app.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { askPdf, textOfPdf } from '#tests/helpers/reports.ts'
import { addReportedTrades, reportedWeek } from '#tests/helpers/reported-trades.ts'
import { startRightsCloud } from '#tests/helpers/rights-cloud.ts'

const { reports, makeReport, report, reportTrades, removeReport, saveModel, tryModel, previewNarrative, writeNarrative, cancelNarrative, saveReportSchedule } = reportRoutes

let app: App
let ann: { readonly browser: Browser; readonly userId: string }
beforeAll(async () => {
  app = await startSharedApp()
  ann = { browser: app.browser, ...(await app.browser.signUp('ann@example.com')) }
  await addReportedTrades(ann.browser, ann.userId)
})
afterAll(() => app.stop())

let people = 0
const newUser = async (): Promise<Browser> => {
  const browser = await app.newBrowser()
  people += 1
  await browser.signUp(`reader-${String(people)}@example.com`)
  return browser
}
const made = async (browser: Browser, accounts: string[] = []) => (await browser.call(makeReport, { body: { period: reportedWeek, accounts } })).report

test('a report without trades has no findings, and is saved like any other', async () => {
  const browser = await newUser()
  const events = await browser.events()
  expect(await browser.call(reports)).toEqual({ reports: [], settings: { model: null, schedule: { day: false, week: false, month: false, narrative: false }, nextAt: null } })
  const empty = await made(browser)
  expect(empty).toMatchObject({ by: 'user', period: reportedWeek, accounts: [], trades: 0, net: [], evident: 0, narrative: null, zone: 'America/New_York', names: [], findings: [], facts: [] })
  await events.next('reports-changed')
  const { findings, facts, days, reconciled, tried, level, names, zone, ...head } = empty
  expect((await browser.call(reports)).reports).toEqual([head])
  expect(await browser.call(report, { query: { id: empty.id } })).toEqual({ report: empty })
  expect(await browser.call(removeReport, { body: { id: empty.id } })).toEqual({ removed: true })
  expect(await browser.call(removeReport, { body: { id: empty.id } })).toEqual({ removed: false })
  expect((await browser.call(reports)).reports).toEqual([])
  expect([findings, facts, days, reconciled, names, zone, tried >= 0, level > 0]).toEqual([[], [], [], { days: 0, daysEqual: 0, daysDiffer: 0, daysUnchecked: 0 }, [], 'America/New_York', true, true])
})

test('a report counts the trades of its days and accounts, and each figure opens the trades behind it', async () => {
  const whole = await made(ann.browser)
  expect(whole).toMatchObject({ trades: 50, net: [{ currency: 'USD' }] })
  expect(whole.names).toEqual([
    { account: 'eval-77', name: 'Secret Eval 77', pseudonym: 'Account A', firm: null },
    { account: 'funded-1', name: 'Funded One', pseudonym: 'Account B', firm: null },
  ])
  const total = whole.facts.find(({ kind }) => kind === 'total')
  expect(total).toMatchObject({ id: 'f1', trades: 50, measures: expect.arrayContaining([{ name: 'net', unit: 'money', value: whole.net[0]?.amount, currency: 'USD' }]) as unknown })
  for (const { id, trades } of whole.facts) {
    const behind = await ann.browser.call(reportTrades, { query: { id: whole.id, of: id, limit: 500 } })
    expect([id, behind.total, behind.gone, behind.trades.length]).toEqual([id, trades, 0, trades])
  }
  for (const { key, trades, net } of whole.findings) {
    const behind = await ann.browser.call(reportTrades, { query: { id: whole.id, of: key, limit: 500 } })
    expect([key, behind.total]).toEqual([key, trades])
    expect(behind.trades.reduce((sum, trade) => sum + Math.round(Number(trade.netPnl) * 100), 0)).toBe(Math.round(Number(net) * 100))
  }
  const [one, two] = [await ann.browser.call(reportTrades, { query: { id: whole.id, of: 'f1', limit: 30 } }), await ann.browser.call(reportTrades, { query: { id: whole.id, of: 'f1', offset: 30, limit: 30 } })]
  const times = [...one.trades, ...two.trades].map(({ exitTime }) => exitTime)
  expect([one.total, one.trades.length, two.trades.length, times]).toEqual([50, 30, 20, times.toSorted().toReversed()])

  const some = await made(ann.browser, ['funded-1'])
  expect([some.trades, some.names.map(({ pseudonym, account }) => [pseudonym, account])]).toEqual([25, [['Account A', 'funded-1']]])
  const { report: day } = await ann.browser.call(makeReport, { body: { period: { kind: 'day', from: '2026-11-03', to: '2026-11-03' }, accounts: [] } })
  expect(day.trades).toBe(10)
})

test('a trade removed later is counted as removed, and the report stays unchanged', { tags: 'long' }, async () => {
  const browser = await app.newBrowser()
  const { userId } = await browser.signUp('gone@example.com')
  await addReportedTrades(browser, userId)
  const before = await made(browser)
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: 't7' } })
  expect(await browser.call(reportTrades, { query: { id: before.id, of: 'f1' } })).toMatchObject({ total: 49, gone: 1 })
  expect((await browser.call(report, { query: { id: before.id } })).report).toEqual(before)
  expect((await made(browser)).trades).toBe(49)
})

test("another user's reports cannot be read, and invalid reports are refused", async () => {
  const [mine, other] = [await made(ann.browser), await newUser()]
  expect(await other.fail(report, { query: { id: mine.id } })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await other.fail(reportTrades, { query: { id: mine.id, of: 'f1' } })).toMatchObject({ status: 404 })
  expect(await other.call(removeReport, { body: { id: mine.id } })).toEqual({ removed: false })
  expect(await other.fail(previewNarrative, { body: { id: mine.id, notes: false } })).toMatchObject({ status: 404 })
  expect(await ann.browser.fail(reportTrades, { query: { id: mine.id, of: 'f9999' } })).toMatchObject({ status: 404 })
  const wrong: readonly (readonly [object, string])[] = [
    [{ period: { kind: 'week', from: '2026-11-06', to: '2026-11-02' } }, 'period.to'],
    [{ period: { kind: 'free', from: '1990-01-01', to: '2026-11-02' } }, 'period.to'],
    [{ period: { kind: 'day', from: '2024-11-02', to: '2026-11-02' } }, 'period.to'],
    [{ period: { kind: 'month', from: '2026-11-02', to: '2026-11-30' } }, 'period.to'],
    [{ period: { kind: 'year', from: '2026-11-02', to: '2026-11-06' } }, 'period.kind'],
    [{ period: { kind: 'day', from: '2026-02-30', to: '2026-11-06' } }, 'period.from'],
    [{ accounts: [''] }, 'accounts.0'],
  ]
  for (const [more, path] of wrong) expect(await ann.browser.fail(makeReport, { body: { period: reportedWeek, accounts: [], ...more } })).toMatchObject({ status: 400, fields: [{ path }] })
})

test('without a plan old reports can be read and removed, but nothing is created, sent or tried', { tags: 'long' }, async () => {
  const cloud = await startRightsCloud()
  const gated = await startApp({ gates: 'as-the-cloud-says', env: { FILLBOOK_CLOUD_URL: cloud.url } })
  const { browser } = gated
  await browser.signUp()
  expect((await browser.call(reports)).reports).toEqual([])
  for (const [route, body] of [
    [makeReport, { period: reportedWeek, accounts: [] }],
    [writeNarrative, { id: 'any', notes: false, digest: '0' }],
    [tryModel, {}],
  ] as const) expect(await browser.fail(route, { body })).toMatchObject({ status: 402, code: 'plan-needed' })
  expect(await browser.call(removeReport, { body: { id: 'any' } })).toEqual({ removed: false })
  expect(await browser.call(cancelNarrative, { body: { id: 'any' } })).toEqual({ canceled: false })
})

describe('settings', () => {
  const model = { baseUrl: 'https://models.example.com/v1/', model: 'story-teller', prices: { input: '0.15', output: '0.6', currency: 'usd' } }

  test('an endpoint is saved with its key, which no answer contains; another origin drops it', async () => {
    const browser = await newUser()
    const set = async (more: object) => (await browser.call(saveModel, { body: { model: { ...model, ...more } } })).settings.model
    expect(await set({ key: 'key-9c1e' })).toEqual({ baseUrl: 'https://models.example.com/v1', model: 'story-teller', hasKey: true, prices: { input: '0.15', output: '0.6', currency: 'USD' } })
    expect(await set({ model: 'another', prices: null })).toMatchObject({ hasKey: true, model: 'another', prices: null })
    expect(await set({ baseUrl: 'https://models.example.com/v2' })).toMatchObject({ hasKey: true })
    expect(await set({ baseUrl: 'https://models.example.org/v1' })).toMatchObject({ hasKey: false })
    expect(await set({ key: 'key-9c1e' })).toMatchObject({ hasKey: true })
    expect(await set({ key: null })).toMatchObject({ hasKey: false })
    await set({ key: 'key-9c1e' })
    expect(JSON.stringify(await browser.call(reports))).not.toContain('key-9c1e')
    expect((await browser.call(saveModel, { body: { model: null } })).settings.model).toBeNull()
    expect(await set({})).toMatchObject({ hasKey: false })
  })

  test('nothing is sent over an unencrypted connection, and an invalid endpoint is refused', async () => {
    const browser = await newUser()
    for (const baseUrl of ['http://models.example.com/v1', 'ftp://127.0.0.1', 'https://me:pass@models.example.com', 'https://models.example.com/v1?key=1', 'file:///etc/passwd', 'models', '', 'http://127.0.0.1.example.com', 'http://192.168.1.2:11434/v1']) {
      expect([baseUrl, await browser.fail(saveModel, { body: { model: { ...model, baseUrl } } })]).toMatchObject([baseUrl, { status: 400, fields: [{ path: 'model.baseUrl' }] }])
    }
    for (const baseUrl of ['http://127.0.0.1:11434/v1', 'http://127.0.0.2:11434/v1', 'http://localhost:11434/v1', 'http://[::1]:11434/v1']) expect((await browser.call(saveModel, { body: { model: { ...model, baseUrl } } })).settings.model?.baseUrl).toBe(baseUrl)
    for (const key of ['with\nline', 'with blank', 'schlüssel']) expect(await browser.fail(saveModel, { body: { model: { ...model, key } } })).toMatchObject({ status: 400, fields: [{ path: 'model.key' }] })
    // The name of a model is kept in the journal and shown: a key must not get there.
    expect(await browser.fail(saveModel, { body: { model: { ...model, model: 'sk-proj-0123' } } })).toMatchObject({ status: 400, fields: [{ path: 'model.model' }] })
    expect(await browser.fail(saveModel, { body: { model: { ...model, prices: { input: '-1', output: '1', currency: 'USD' } } } })).toMatchObject({ status: 400, fields: [{ path: 'model.prices' }] })
  })

  test('without an endpoint there is no preview, no text and no trial', async () => {
    const browser = await newUser()
    const { id } = await made(browser)
    expect(await browser.fail(previewNarrative, { body: { id, notes: false } })).toMatchObject({ status: 409, code: 'no-model' })
    expect(await browser.fail(writeNarrative, { body: { id, notes: false, digest: '0' } })).toMatchObject({ status: 409, code: 'no-model' })
    expect(await browser.fail(tryModel)).toMatchObject({ status: 409, code: 'no-model' })
  })

  test('a schedule says when it makes the next report', async () => {
    const browser = await newUser()
    const { settings } = await browser.call(saveReportSchedule, { body: { day: true, week: true, month: false, narrative: true } })
    expect(settings.schedule).toEqual({ day: true, week: true, month: false, narrative: true })
    expect(Date.parse(settings.nextAt ?? '')).toBeGreaterThan(Date.now())
    expect((await browser.call(saveReportSchedule, { body: { day: false, week: false, month: false, narrative: true } })).settings.nextAt).toBeNull()
    // Periods before the schedule started get no report.
    expect((await browser.call(reports)).reports).toEqual([])
  })
})

describe('a PDF', () => {
  test('is rendered from a document, byte for byte the same each time', async () => {
    const document = { title: 'Week', blocks: [{ kind: 'heading', level: 1, text: 'Week of 2–6 November' }, { kind: 'table', head: ['Contract', 'Net'], rows: [['MESZ6', '−12.50 €']], figures: [1] }] }
    const [one, other] = [await askPdf(ann.browser, document), await askPdf(ann.browser, document)]
    expect([one.status, one.headers['content-type'], one.bytes.equals(other.bytes)]).toEqual([200, 'application/pdf', true])
    expect(await textOfPdf(one.bytes)).toContain('−12.50 €')
  })

  test('is rendered from nothing else, and not without a sign-in', async () => {
    for (const body of [{}, { title: 'x', blocks: [{ kind: 'script', text: 'x' }] }, { title: '', blocks: [] }, '{"title":']) expect((await askPdf(ann.browser, body)).status).toBe(400)
    expect((await askPdf(ann.browser, JSON.stringify({ title: 'x', blocks: [{ kind: 'paragraph', tone: 'plain', text: 'x'.repeat(1_100_000) }] }))).status).toBe(413)
    expect((await askPdf(await app.newBrowser(), { title: 'x', blocks: [] })).status).toBe(401)
  })
})
