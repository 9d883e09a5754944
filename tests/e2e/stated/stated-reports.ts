import { reportRoutes, type Finding, type Narrative, type Report, type ReportFact, type ReportHead, type ReportSettings, type Segment } from '#shared/api/reports.ts'
import type { TradeRecord } from '#shared/api/records.ts'
import { groundNarrative } from '#shared/reports/grounding.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import type { Page, Route } from '@playwright/test'

const key = (account: string): string => `tradovate:demo:${account}`
const money = (name: ReportFact['measures'][number]['name'], value: string) => ({ name, unit: 'money' as const, value, currency: 'USD' })
const counted = (name: ReportFact['measures'][number]['name'], value: number) => ({ name, unit: 'count' as const, value: String(value), currency: null })
const share = (name: ReportFact['measures'][number]['name'], value: number) => ({ name, unit: 'share' as const, value: value.toFixed(6), currency: null })

/** A finding; `more` overrides the defaults. */
export const statedFinding = (kind: Finding['kind'], more: Partial<Finding> = {}): Finding => ({
  key: `${kind}:USD`, kind, about: {}, currency: 'USD', evidence: 'none', trades: 64, others: 148, net: '-212.40', excess: { value: '-140.10', low: '-410.55', high: '128.30' }, chance: { alone: 0.34, corrected: 1 },
  measures: [money('average', '-3.32'), money('average-other', '14.20'), share('win-rate', 0.4531), { name: 'days', unit: 'days', value: '14', currency: null }], bars: [], barsIn: 'money', ...more,
})

const bar = (label: string | number, value: number, marked = false, trades = 12) => ({ label: String(label), value: value.toFixed(2), trades, marked })
const hours = [0, 0, 12, -40, 0, 0, 30, 210, 840.5, 1_310, 220, -1_912.4, -310, 95, 402.1, 118, 0, 0, 44, 0, 0, 0, 0, 0]

/** Findings of every kind and of every evidence. */
export const statedFindings: Finding[] = [
  statedFinding('hour', { key: 'hour:11:USD', about: { hour: 11 }, evidence: 'evident', trades: 38, others: 174, net: '-1912.40', excess: { value: '-2354.80', low: '-3310.25', high: '-1288.00' }, chance: { alone: 0.0001, corrected: 0.0024 }, bars: hours.map((value, hour) => bar(hour, value, hour === 11, value === 0 ? 0 : 12)) }),
  statedFinding('revenge', { evidence: 'evident', trades: 41, others: 171, net: '-1140.00', excess: { value: '-1702.15', low: '-2540.00', high: '-760.40' }, chance: { alone: 0.0003, corrected: 0.018 }, bars: [bar(0, -640, true), bar(2, -310, true), bar(5, -190, true), bar(10, 88), bar(30, 240), bar(60, 1_130), bar(60, 1_400)].slice(0, 6) }),
  statedFinding('weekday', { key: 'weekday:2:USD', about: { weekday: 2 }, evidence: 'possible', trades: 52, others: 160, net: '980.20', excess: { value: '860.45', low: '14.10', high: '1710.90' }, chance: { alone: 0.031, corrected: 0.61 }, bars: [bar(1, 120), bar(2, 980.2, true), bar(3, -210), bar(4, -64), bar(5, 340), bar(6, 0), bar(7, 0)] }),
  statedFinding('giving-back', { evidence: 'possible', trades: 96, others: 80, net: '-2210.00', excess: { value: '-640.00', low: '-1190.00', high: '-92.00' }, chance: { alone: 0.019, corrected: 0.41 }, measures: [money('given-back', '-2210.00'), share('share', 0.4312), { name: 'days', unit: 'days', value: '20', currency: null }], bars: [bar(0, 4), bar(25, 6), bar(50, 5, true), bar(75, 3, true), bar(100, 2, true)], barsIn: 'days' }),
  statedFinding('cost-share', { evidence: 'evident', trades: 212, others: 0, net: '2918.44', excess: null, chance: { alone: 0.002, corrected: 0.031 }, measures: [money('gross', '3742.25'), money('commission', '-823.81'), share('share', 0.2201)], bars: [bar('MES', -310.2), bar('MNQ', -288.31), bar('NQ', -225.3)] }),
  statedFinding('size-after-loss', { excess: { value: '-310.00', low: '-790.00', high: '120.00' }, measures: [{ name: 'size', unit: 'ratio', value: '1.4200', currency: null }, { name: 'size-other', unit: 'ratio', value: '0.9700', currency: null }], bars: [bar(-1, 1.42, true), bar(0, 0.95), bar(1, 0.99)], barsIn: 'ratio' }),
  statedFinding('early-exit', { measures: [{ name: 'hold', unit: 'time', value: '184000', currency: null }, { name: 'hold-other', unit: 'time', value: '412000', currency: null }, money('average-win', '61.20'), money('average-loss', '-74.90')], bars: [bar(1, 184_000, true), bar(-1, 412_000)], barsIn: 'time' }),
  statedFinding('streak', { excess: null, measures: [counted('longest-losses', 7), counted('longest-wins', 9), { name: 'chance', unit: 'chance', value: '0.2810', currency: null }], bars: [bar(1, 22), bar(2, 11), bar(3, 4), bar(4, 2), bar(5, 0), bar(6, 0), bar(7, 1, true)], barsIn: 'count' }),
  statedFinding('hold', { key: 'hold:60000:USD', about: { heldFrom: 60_000, heldTo: 300_000 }, excess: { value: '402.00', low: '-90.00', high: '880.00' }, bars: [bar(0, -80), bar(60_000, 740, true), bar(300_000, 120), bar(900_000, 60), bar(3_600_000, 12), bar(14_400_000, 0)] }),
  statedFinding('account-consistency', { key: 'account-consistency:1:USD', about: { account: key('PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01') }, bars: [bar(key('EVAL-101'), 120), bar(key('PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01'), -120, true)] }),
  statedFinding('rule-breach', { evidence: 'too-little', trades: 6, excess: null, chance: null, bars: [bar(1, -320, true), bar(0, 1_200)] }),
  statedFinding('side', { evidence: 'too-little', trades: 17, excess: null, chance: null }),
]

const fact = (id: number, kind: ReportFact['kind'], about: ReportFact['about'], net: string, trades: number): ReportFact => ({ id: `f${String(id)}`, about, finding: null, kind, trades, measures: [money('net', net), money('average', (Number(net) / trades).toFixed(2)), counted('trades', trades), share('win-rate', 0.5283)] })

const facts: ReportFact[] = [
  { id: 'f1', about: {}, finding: null, kind: 'total', trades: 212, measures: [money('net', '2918.44'), money('gross', '3742.25'), money('commission', '-823.81'), money('average', '13.77'), { name: 'profit-factor', unit: 'ratio', value: '1.620000', currency: 'USD' }, money('drawdown', '-812.40'), counted('trades', 212), counted('wins', 112), counted('losses', 100), share('win-rate', 0.5283), { name: 'days', unit: 'days', value: '20', currency: null }] },
  fact(2, 'account', { account: key('EVAL-101') }, '1804.20', 120), fact(3, 'account', { account: key('PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01') }, '1114.24', 92),
  fact(4, 'product', { product: 'MES' }, '610.10', 88), fact(5, 'product', { product: 'NQ' }, '2308.34', 124), fact(6, 'weekday', { weekday: 2 }, '980.20', 52), fact(7, 'hour', { hour: 11 }, '-1912.40', 38), fact(8, 'day', { day: '2026-11-17' }, '640.00', 14),
  { ...fact(9, 'hour', { hour: 11 }, '-1912.40', 38), finding: 'hour:11:USD' },
]

const written = groundNarrative(
  answerOf(
    '# overview',
    'The period came in at {f1 net,trades}. | The figures show {most account net}.',
    '- {compare f4 f5 net}. | Wednesdays cost you $4,000.',
    '- On {f6 net,trades}.',
    '# hour',
    '- {finding f9}. | {evidence f9}.',
    'The trades in {name f7} deserve a closer look.',
  ),
  { facts, findings: statedFindings },
)

/** A narrative with sentences that are proved and one that is not. */
export const statedNarrative = (more: Partial<Narrative> = {}): Narrative => ({
  state: 'done', model: 'gpt-5-mini', startedAt: '2026-11-20T22:31:00.000Z', endedAt: '2026-11-20T22:31:14.000Z', draft: '', ...written, asked: 2, tokens: { input: 4_210, output: 612 }, cost: { amount: '0.0023', currency: 'USD' }, withNotes: false, failure: null, before: null, ...more,
})

const said = (text: string, id: string | null = null, check: 'plain' | 'proved' | 'unproved' = id === null ? 'plain' : 'proved'): Segment => ({ text, check, fact: id })

/** The text of an older narrative, whose model wrote the figures itself. */
export const statedTextOfBefore: Pick<Narrative, 'passages' | 'proved' | 'unproved'> = {
  passages: [
    { kind: 'heading', segments: [said('What stands out')] },
    { kind: 'paragraph', segments: [said('The month ended '), said('$2,918.44 up over 212 trades', 'f1'), said('. '), said('Trades entered between 11:00 and 12:00 lost $1,912.40', 'f7'), said(', which is where most of the money went.')] },
    { kind: 'item', segments: [said('Account A made $1,804.20', 'f2'), said(', more than half of it.')] },
    { kind: 'item', segments: [said('Tuesdays brought $980.20', 'f6'), said(', but '), said('Wednesdays cost you $4,000', null, 'unproved'), said('.')] },
    { kind: 'heading', segments: [said('What to look at')] },
    { kind: 'paragraph', segments: [said('There is too little to say anything about sides. <b>Not</b> [a link](https://example.com).')] },
  ],
  proved: 9, unproved: 1,
}

/** A report with all of it; `more` overrides the defaults. */
export const statedReport = (more: Partial<Report> = {}): Report => ({
  id: 'r1', createdAt: '2026-11-20T22:30:00.000Z', by: 'user', period: { kind: 'week', from: '2026-11-16', to: '2026-11-20' }, accounts: [], trades: 212, net: [{ currency: 'USD', amount: '2918.44' }], evident: 3, narrative: null, zone: 'America/Chicago',
  names: [{ account: key('EVAL-101'), name: 'EVAL-101', pseudonym: 'Account A', firm: 'Tradeify' }, { account: key('PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01'), name: 'PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01', pseudonym: 'Account B', firm: 'Apex Trader Funding' }],
  findings: statedFindings, facts, tried: 63, level: 0.05, reconciled: { days: 10, daysEqual: 7, daysDiffer: 1, daysUnchecked: 2 },
  days: [['2026-11-16', '-410.25', 40], ['2026-11-17', '640.00', 14], ['2026-11-18', '1890.44', 71], ['2026-11-19', '-301.75', 45], ['2026-11-20', '1100.00', 42]].map(([day, net, trades]) => ({ day: String(day), net: String(net), trades: Number(trades), currency: 'USD' })),
  ...more,
})

/** How reports are made; `more` overrides the defaults. */
export const statedSettings = (more: Partial<ReportSettings> = {}): ReportSettings => ({ model: null, schedule: { day: false, week: true, month: false, narrative: false }, nextAt: '2026-11-27T22:30:00.000Z', ...more })

/** A model that is set. */
export const statedModel: NonNullable<ReportSettings['model']> = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini', hasKey: true, prices: { input: '0.25', output: '2.00', currency: 'USD' } }

const headOf = ({ id, createdAt, by, period, accounts, trades, net, evident, narrative }: Report): ReportHead => ({ id, createdAt, by, period, accounts, trades, net, evident, narrative: narrative?.state ?? null })

const trade = (at: number): TradeRecord => ({
  id: `t${String(at)}`, symbol: at % 2 === 0 ? 'MESZ6' : 'NQZ6', account: at % 3 === 0 ? 'PA-APEX-248-FUNDED-WITH-A-LONG-NAME-01' : 'EVAL-101', accountId: key('EVAL-101'), side: at % 2 === 0 ? 'long' : 'short', qty: 1 + (at % 4), pairs: 1, entryPrice: 6_750.25, exitPrice: 6_748.5,
  entryTime: new Date(Date.UTC(2026, 10, 20, 17, 40 - at)).toISOString(), exitTime: new Date(Date.UTC(2026, 10, 20, 17, 44 - at)).toISOString(), date: '2026-11-20', tradingDay: '2026-11-20', grossPnl: '-8.75', commission: '1.24', netPnl: at % 2 === 0 ? '-9.99' : '41.20', currency: 'USD', multiplierSource: 'broker', feeSource: 'broker', warnings: [],
})

/** The stubbed reports; they may be changed while the page is open. */
export type StatedReports = { reports: Report[]; settings: ReportSettings; gone: number; total: number }

/** Stubs the calls of reports; `asked` are the bodies that were sent. */
export const stubReports = async (page: Page, stated: StatedReports): Promise<{ readonly asked: { readonly path: string; readonly body: unknown }[] }> => {
  const asked: { path: string; body: unknown }[] = []
  await page.route(/\/api\/reports(\/.*)?(\?.*)?$/, (route: Route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const post = route.request().method() === 'POST'
    if (post) asked.push({ path: pathname, body: route.request().postDataJSON() as unknown })
    const id = post ? (route.request().postDataJSON() as { id?: string } | null)?.id : searchParams.get('id')
    const report = stated.reports.find((one) => one.id === id)
    switch (`${post ? 'POST' : 'GET'} ${pathname}`) {
      case `GET ${reportRoutes.reports.path}`:
        return route.fulfill({ json: { reports: stated.reports.map(headOf), settings: stated.settings } })
      case `GET ${reportRoutes.report.path}`:
        return report === undefined ? route.fulfill({ status: 404, json: { success: false, code: 'not-found', error: 'not-found' } }) : route.fulfill({ json: { report } })
      case `GET ${reportRoutes.reportTrades.path}`: {
        const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
        return route.fulfill({ json: { trades: Array.from({ length: Math.max(0, Math.min(limit, stated.total - offset)) }, (_, at) => trade(offset + at)), total: stated.total, gone: stated.gone } })
      }
      case `POST ${reportRoutes.previewNarrative.path}`:
        return route.fulfill({ json: { messages: [{ role: 'system', content: 'Write about the findings below. Refer to each figure.' }, { role: 'user', content: JSON.stringify({ facts: report?.facts }, null, 1) }], digest: 'd1', tokens: 4_210, notes: 0, host: 'api.openai.com' } })
      default:
        return route.fallback()
    }
  })
  return { asked }
}
