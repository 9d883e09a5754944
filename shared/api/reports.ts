import { z } from 'zod'
import { calendarDay, currencyCode, decimalText, identifier, moment } from './fields.ts'
import { firm, trip } from './records.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()

/** What findings are looked for in. */
export const findingKind = z.enum([
  'hour',
  'weekday',
  'product',
  'side',
  'hold',
  'size-after-loss',
  'revenge',
  'overtrading',
  'giving-back',
  'streak',
  'early-exit',
  'rule-breach',
  'cost-share',
  'account-consistency',
])
export type FindingKind = z.infer<typeof findingKind>

/** What a finding or a fact is of: each field that is there narrows it; none is the whole period. */
export const aboutTrades = z.object({
  /** Key of the account. */
  account: z.string().optional(),
  /** `MES`. */
  product: z.string().optional(),
  side: z.enum(['long', 'short']).optional(),
  /** 1 is Monday, 7 Sunday, by the entry in the report's zone. */
  weekday: z.number().int().min(1).max(7).optional(),
  /** 0 to 23, by the entry in the report's zone. */
  hour: z.number().int().min(0).max(23).optional(),
  /** Trading day. */
  day: calendarDay.optional(),
  /** Held from so many ms, to fewer than so many. */
  heldFrom: count.optional(),
  heldTo: count.optional(),
})
export type AboutTrades = z.infer<typeof aboutTrades>

/** A figure with its unit. `money` is an exact decimal in `currency`, a cost below zero; `share` and `chance` run from 0 to 1; `time` is ms; `ratio` and `r` are plain decimals. */
export const measureName = z.enum([
  'net',
  'gross',
  'commission',
  'trades',
  'wins',
  'losses',
  'win-rate',
  'average',
  'average-other',
  'excess',
  'excess-low',
  'excess-high',
  'average-win',
  'average-loss',
  'largest-win',
  'largest-loss',
  'profit-factor',
  'drawdown',
  'hold',
  'hold-other',
  'size',
  'size-other',
  'share',
  'share-other',
  'days',
  'given-back',
  'longest-wins',
  'longest-losses',
  'chance',
])
export type MeasureName = z.infer<typeof measureName>
export const measure = z.object({
  name: measureName,
  unit: z.enum(['money', 'count', 'share', 'chance', 'time', 'ratio', 'contracts', 'days']),
  value: decimalText,
  currency: currencyCode.nullable(),
})
export type Measure = z.infer<typeof measure>

/** How sure a finding is. `evident`: below the level after the correction for all that was tried; `possible`: below it only by itself; `none`: as chance would have it; `untested`: a plain figure of what no test can tell from chance; `too-little`: too few trades or days to say anything. */
export const evidence = z.enum(['evident', 'possible', 'none', 'untested', 'too-little'])
export type Evidence = z.infer<typeof evidence>

/** One finding. Every figure of it is a figure of the trades behind it (`reportTrades`). */
export const finding = z.object({
  /** Within its report. */
  key: identifier,
  kind: findingKind,
  about: aboutTrades,
  currency: currencyCode,
  evidence,
  /** Trades behind it, and trades that they were held against. */
  trades: count,
  others: count,
  /** Net of the trades behind it. */
  net: decimalText,
  /** What they made more (or lost more, below zero) than as many of the others, with its 95 % interval; of an account, than the others in the same decisions at its own size; null where the kind has no such figure. The interval leaves zero out exactly where the finding is evident. Findings are ranked by its size, or by that of `net`. */
  excess: z.object({ value: decimalText, low: decimalText, high: decimalText }).nullable(),
  /** The chance of an effect as large where there is none: by itself, and corrected for all that were tried; null with `untested` and `too-little`. */
  chance: z.object({ alone: z.number().min(0).max(1), corrected: z.number().min(0).max(1) }).nullable(),
  /** What else its kind says, as `size` after a loss and `size-other`. */
  measures: z.array(measure),
  /** A small chart: groups in their order, those of the finding marked. `label` is the group's value as `about` has it, or a number of the kind's own. */
  bars: z.array(z.object({ label: z.string(), value: decimalText, trades: count, marked: z.boolean() })).max(48),
  /** In what the bars are. */
  barsIn: measure.shape.unit,
})
export type Finding = z.infer<typeof finding>

const factId = z.string().regex(/^f[1-9]\d{0,3}$/)
/** What plain facts group trades by. */
export const factGroup = z.enum(['account', 'product', 'side', 'weekday', 'hour', 'day'])
export type FactGroup = z.infer<typeof factGroup>

/** A figure or more about one thing, that a narrative may refer to by its id. */
export const reportFact = z.object({
  id: factId,
  about: aboutTrades,
  /** The finding that it tells of; null for a plain figure of the period. */
  finding: identifier.nullable(),
  /** What a plain fact counts: the whole period or one group of it; of a finding its kind. */
  kind: z.union([z.literal('total'), factGroup, findingKind]),
  measures: z.array(measure).min(1),
  /** Trades behind it. */
  trades: count,
})
export type ReportFact = z.infer<typeof reportFact>

/**
 * What a narrative leaves to Fillbook to write, from the report's own facts: figures of a fact; its name alone; two facts
 * compared by one figure; the one of a group with the highest or the lowest figure; a finding in a sentence; how sure it is.
 */
export const reference = z.union([
  z.strictObject({ fact: factId, figures: z.array(measureName).min(1).max(8) }),
  z.strictObject({ name: factId }),
  z.strictObject({ compare: factId, with: factId, figure: measureName }),
  z.strictObject({ most: factGroup, figure: measureName }),
  z.strictObject({ least: factGroup, figure: measureName }),
  z.strictObject({ finding: factId }),
  z.strictObject({ evidence: factId }),
])
export type Reference = z.infer<typeof reference>

/** The headings of a narrative. */
export const narrativeHeading = z.enum(['overview', 'findings', ...factGroup.options])
export type NarrativeHeading = z.infer<typeof narrativeHeading>

/**
 * A stretch of a narrative: words of the model, a reference, or a heading. `unproved`: words that claim something outside a
 * reference, and references of a sentence that has such words or refers to what is not there; `plain`: nothing in it is to be
 * proved. Only references are `proved`; in narratives of before, whose model wrote the figures itself, words that agreed with `fact`.
 */
export const segment = z.union([
  z.object({ text: z.string(), check: z.enum(['proved', 'unproved', 'plain']), fact: z.string().nullable() }),
  z.object({ says: reference, check: z.enum(['proved', 'unproved', 'plain']) }),
  z.object({ heading: narrativeHeading }),
])
export type Segment = z.infer<typeof segment>
export const passage = z.object({ kind: z.enum(['heading', 'paragraph', 'item']), segments: z.array(segment) })
export type Passage = z.infer<typeof passage>

/** Why no narrative came. `gave-half`: what came until then stays. `model-unknown`: an answer of 404, so the address may be wrong as well. `program-ended`: Fillbook was closed meanwhile. */
export const narrativeFailure = z.enum(['unreachable', 'timed-out', 'key-refused', 'model-unknown', 'too-many-calls', 'too-long', 'refused', 'unreadable', 'gave-half', 'program-ended', 'internal'])
export type NarrativeFailure = z.infer<typeof narrativeFailure>

/** A checked text that stays until a later one stands in its place. */
export const earlierText = z.object({ model: z.string(), writtenAt: moment, passages: z.array(passage), proved: count, unproved: count })
export type EarlierText = z.infer<typeof earlierText>

/** The text of a model about a report. */
export const narrative = z.object({
  state: z.enum(['writing', 'checking', 'done', 'cancelled', 'failed']),
  model: z.string(),
  startedAt: moment,
  endedAt: moment.nullable(),
  /** What came so far, unchecked, while it is written; empty afterwards. */
  draft: z.string(),
  passages: z.array(passage),
  /** Figures that are proved, and sentences that are not; in narratives of before figures that are not. */
  proved: count,
  unproved: count,
  /** How often the model was asked: once, and once more for passages that were not proved. */
  asked: count,
  /** As the endpoint counts them; null where it does not. */
  tokens: z.object({ input: count, output: count }).nullable(),
  /** By the prices that the user set; null without them. */
  cost: z.object({ amount: decimalText, currency: currencyCode }).nullable(),
  /** Whether notes of the user were sent. */
  withNotes: z.boolean(),
  failure: narrativeFailure.nullable(),
  /** The text that was there before, for as long as this one has no passages; null where there was none. */
  before: earlierText.nullable(),
})
export type Narrative = z.infer<typeof narrative>

export const periodKind = z.enum(['day', 'week', 'month', 'free'])
export type PeriodKind = z.infer<typeof periodKind>
/** First and last trading day, both included. */
const period = z.strictObject({ kind: periodKind, from: calendarDay, to: calendarDay })

const reportHead = z.object({
  id: identifier,
  createdAt: moment,
  by: z.enum(['user', 'schedule']),
  period,
  /** Keys of accounts; empty is all of them. */
  accounts: z.array(z.string()),
  trades: count,
  /** The net of each currency. */
  net: z.array(z.object({ currency: currencyCode, amount: decimalText })),
  /** Findings that are evident. */
  evident: count,
  narrative: narrative.shape.state.nullable(),
})
export type ReportHead = z.infer<typeof reportHead>

/** One report, as it was made. */
export const report = reportHead.extend({
  /** The zone of weekdays and hours. */
  zone: z.string(),
  /** The accounts of its trades, as a model gets to know them: `Account A`. */
  names: z.array(z.object({ account: z.string(), name: z.string(), pseudonym: z.string(), firm: firm.nullable() })),
  /** Largest first, then those that are untested, and those with too little data last. */
  findings: z.array(finding),
  facts: z.array(reportFact),
  /** What each trading day came to, earliest first, by currency; missing in reports of before. */
  days: z.array(z.object({ day: calendarDay, currency: currencyCode, net: decimalText, trades: count })).optional(),
  /** How many tests the correction counts, and the level: on pure chance at most so many reports of all show an evident finding. */
  tried: count,
  level: z.number(),
  narrative: narrative.nullable(),
})
export type Report = z.infer<typeof report>

/** The endpoint that writes narratives: any that speaks OpenAI's chat completions. Its key is in the keychain and never told. */
export const modelSettings = z.object({
  /** `https://…/v1`, or `http://` on this computer. */
  baseUrl: z.string(),
  model: z.string(),
  hasKey: z.boolean(),
  /** For a million tokens; null where the user did not say. */
  prices: z.object({ input: decimalText, output: decimalText, currency: currencyCode }).nullable(),
})
export type ModelSettings = z.infer<typeof modelSettings>

/** Which reports are made by themselves after the close of the last session of their period; `narrative`: with one, where a model is set. */
export const reportSchedule = z.strictObject({ day: z.boolean(), week: z.boolean(), month: z.boolean(), narrative: z.boolean() })
export type ReportSchedule = z.infer<typeof reportSchedule>

const reportSettings = z.object({ model: modelSettings.nullable(), schedule: reportSchedule, /** When the next one is made; null where none is. */ nextAt: moment.nullable() })
export type ReportSettings = z.infer<typeof reportSettings>

const ofReport = z.strictObject({ id: identifier })

/** A report as a document, in the reader's language: what becomes Markdown or PDF. */
export const reportDocument = z.strictObject({
  title: z.string().min(1).max(300),
  blocks: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('heading'), level: z.union([z.literal(1), z.literal(2), z.literal(3)]), text: z.string().max(1000) }),
        z.strictObject({ kind: z.literal('paragraph'), text: z.string().max(20_000), tone: z.enum(['plain', 'muted', 'warning']) }),
        z.strictObject({ kind: z.literal('list'), items: z.array(z.string().max(5000)).max(500) }),
        z.strictObject({ kind: z.literal('table'), head: z.array(z.string().max(200)).min(1).max(12), rows: z.array(z.array(z.string().max(500)).max(12)).max(2000), /** Columns of figures. */ figures: z.array(z.number().int().min(0).max(11)) }),
        /** A line over the values of `points` in their order, from `from` to `to`, and below it what there is to say of it. */
        z.strictObject({ kind: z.literal('curve'), title: z.string().max(300), points: z.array(z.number()).min(1).max(4000), from: z.string().max(100), to: z.string().max(100), figures: z.array(z.strictObject({ label: z.string().max(100), text: z.string().max(100) })).max(12) }),
        /** A grid of cells, as of a month's days; a cell without `text` is empty, and one without `value` has no colour. */
        z.strictObject({ kind: z.literal('calendar'), title: z.string().max(300), head: z.array(z.string().max(40)).min(1).max(14), rows: z.array(z.array(z.strictObject({ label: z.string().max(40), text: z.string().max(40), value: z.number().nullable() })).max(14)).max(60) }),
        z.strictObject({ kind: z.literal('bars'), title: z.string().max(300), bars: z.array(z.strictObject({ label: z.string().max(100), value: z.number(), text: z.string().max(100), marked: z.boolean() })).max(48) }),
      ]),
    )
    .max(2000),
})
export type ReportDocument = z.infer<typeof reportDocument>

/** Where a document becomes a PDF, by `POST` with a `reportDocument`. */
export const reportPdfPath = '/api/reports/pdf'

/** AI reports. */
export const reportRoutes = {
  reports: { method: 'GET', path: '/api/reports', answer: z.object({ reports: z.array(reportHead), settings: reportSettings }) },
  /** Computes findings and facts of a period, and keeps them. */
  makeReport: { method: 'POST', path: '/api/reports', body: z.strictObject({ period, accounts: z.array(identifier).max(500) }), answer: z.object({ report }) },
  report: { method: 'GET', path: '/api/reports/one', query: z.object({ id: identifier }), answer: z.object({ report }) },
  /** The trades (trips, since these are counted) behind a fact or a finding, newest exit first; `of` is its id or key. A trade that is gone since counts in `gone`, not in `total`. */
  reportTrades: {
    method: 'GET',
    path: '/api/reports/trades',
    query: z.object({ id: identifier, of: identifier, offset: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(500).default(100) }),
    answer: z.object({ trades: z.array(trip), total: count, gone: count }),
  },
  removeReport: { method: 'POST', path: '/api/reports/remove', body: ofReport, answer: z.object({ removed: z.boolean() }) },
  /** Exactly what would be sent, as the messages of the call, and a rough count of its tokens. `digest` names it. */
  previewNarrative: {
    method: 'POST',
    path: '/api/reports/narrative/preview',
    body: ofReport.extend({ notes: z.boolean() }),
    answer: z.object({ messages: z.array(z.object({ role: z.enum(['system', 'user']), content: z.string() })), digest: z.string(), tokens: count, notes: count, host: z.string() }),
  },
  /** Starts to write; what is sent is what `digest` names, or it is refused with `preview-changed`. Its course is pushed as `report-narrative`. */
  writeNarrative: { method: 'POST', path: '/api/reports/narrative/write', body: ofReport.extend({ notes: z.boolean(), digest: z.string() }), answer: z.object({ narrative }) },
  cancelNarrative: { method: 'POST', path: '/api/reports/narrative/cancel', body: ofReport, answer: z.object({ cancelled: z.boolean() }) },
  /** Null forgets the endpoint and its key. A key that is missing stays as it is for the same origin, and is forgotten for another. */
  saveModel: {
    method: 'POST',
    path: '/api/reports/model',
    body: z.strictObject({ model: z.strictObject({ baseUrl: z.string().max(500), model: z.string().trim().min(1).max(200), key: z.string().max(1000).nullable().optional(), prices: modelSettings.shape.prices }).nullable() }),
    answer: z.object({ settings: reportSettings }),
  },
  /** One short call to the endpoint as it is set. */
  tryModel: { method: 'POST', path: '/api/reports/model/try', body: z.strictObject({}), answer: z.object({ ok: z.boolean(), failure: narrativeFailure.nullable(), /** Names of models that it offers, where it says so. */ models: z.array(z.string()) }) },
  saveReportSchedule: { method: 'POST', path: '/api/reports/schedule', body: reportSchedule, answer: z.object({ settings: reportSettings }) },
} as const satisfies Record<string, Route>
