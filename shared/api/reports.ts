import { z } from 'zod'
import { calendarDay, currencyCode, decimalText, identifier, moment } from './fields.ts'
import { firm, tradeRecord } from './records.ts'
import type { Route } from './route.ts'

const count = z.number().int().nonnegative()

/** The kinds of findings. */
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
  'excursions',
  'rule-breach',
  'cost-share',
  'account-consistency',
])
export type FindingKind = z.infer<typeof findingKind>

/** The subject of a finding or fact. Each field narrows it; without fields it is the whole period. */
export const aboutTrades = z.object({
  /** Account key. */
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
  /** Hold time in ms: at least `heldFrom`, less than `heldTo`. */
  heldFrom: count.optional(),
  heldTo: count.optional(),
})
export type AboutTrades = z.infer<typeof aboutTrades>

/** A figure with its unit. `money` is an exact decimal in `currency`, negative for a cost; `share` and `chance` run from 0 to 1; `time` is ms; `ratio` and `r` are plain decimals. */
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
  'mae-wins',
  'mae-wins-most',
  'mfe-losses',
  'mfe-losses-most',
  'exit-efficiency',
  'exit-efficiency-most',
])
export type MeasureName = z.infer<typeof measureName>
export const measure = z.object({
  name: measureName,
  unit: z.enum(['money', 'count', 'share', 'chance', 'time', 'ratio', 'contracts', 'days']),
  value: decimalText,
  currency: currencyCode.nullable(),
})
export type Measure = z.infer<typeof measure>

/** `evident`: significant after correction for multiple tests; `possible`: significant only without the correction; `none`: not significant; `untested`: a figure that no test applies to; `too-little`: too few trades or days. */
export const evidence = z.enum(['evident', 'possible', 'none', 'untested', 'too-little'])
export type Evidence = z.infer<typeof evidence>

/** One finding. Its figures are computed from the trades that `reportTrades` lists. */
export const finding = z.object({
  /** Unique within its report. */
  key: identifier,
  kind: findingKind,
  about: aboutTrades,
  currency: currencyCode,
  evidence,
  /** Its trades, and the trades that they are compared with. */
  trades: count,
  others: count,
  /** Net P&L of its trades. */
  net: decimalText,
  /** How much more its trades made than as many of the others, with a 95% interval; for an account, than the other accounts in the same decisions at its own size. Null for kinds without it. The interval excludes zero if and only if the finding is evident. Findings are ranked by the size of this, or of `net`. */
  excess: z.object({ value: decimalText, low: decimalText, high: decimalText }).nullable(),
  /** The p-value, alone and corrected for multiple tests; null for `untested` and `too-little`. */
  chance: z.object({ alone: z.number().min(0).max(1), corrected: z.number().min(0).max(1) }).nullable(),
  /** Further figures of its kind, such as `size` after a loss and `size-other`. */
  measures: z.array(measure),
  /** A small chart of the groups in order, with those of the finding marked. `label` is the group's value in `about`, or a number that the kind defines. */
  bars: z.array(z.object({ label: z.string(), value: decimalText, trades: count, marked: z.boolean() })).max(48),
  /** The unit of the bars. */
  barsIn: measure.shape.unit,
})
export type Finding = z.infer<typeof finding>

const factId = z.string().regex(/^f[1-9]\d{0,3}$/)
/** What facts group trades by. */
export const factGroup = z.enum(['account', 'product', 'side', 'weekday', 'hour', 'day'])
export type FactGroup = z.infer<typeof factGroup>

/** Figures about one subject. A narrative refers to them by the id. */
export const reportFact = z.object({
  id: factId,
  about: aboutTrades,
  /** The key of its finding; null for a fact about the period or a group. */
  finding: identifier.nullable(),
  /** The whole period, a group of it, or the kind of its finding. */
  kind: z.union([z.literal('total'), factGroup, findingKind]),
  measures: z.array(measure).min(1),
  /** The number of its trades. */
  trades: count,
})
export type ReportFact = z.infer<typeof reportFact>

/**
 * A part of a narrative that Fillbook writes from the report's facts: figures of a fact; its name alone; two facts compared by
 * one figure; the member of a group with the highest or lowest figure; a finding as a sentence; its evidence.
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
 * A segment of a narrative: words of the model, a reference, or a heading. `unproved`: words that claim something themselves,
 * and references in a sentence with such words or with an invalid reference; `plain`: nothing to prove. Only references are
 * `proved`; in older narratives, where the model wrote the figures itself, also words that agreed with `fact`.
 */
export const segment = z.union([
  z.object({ text: z.string(), check: z.enum(['proved', 'unproved', 'plain']), fact: z.string().nullable() }),
  z.object({ says: reference, check: z.enum(['proved', 'unproved', 'plain']) }),
  z.object({ heading: narrativeHeading }),
])
export type Segment = z.infer<typeof segment>
/** Whether a segment states what no fact proves. */
export const isUnproved = (one: Segment): boolean => 'check' in one && one.check === 'unproved'
export const passage = z.object({ kind: z.enum(['heading', 'paragraph', 'item']), segments: z.array(segment) })
export type Passage = z.infer<typeof passage>

/** Why a narrative failed. `gave-half`: it broke off, and the part is kept. `model-unknown`: HTTP 404, so the address may be wrong instead. `program-ended`: Fillbook was closed meanwhile. */
export const narrativeFailure = z.enum(['unreachable', 'timed-out', 'key-refused', 'model-unknown', 'too-many-calls', 'too-long', 'refused', 'unreadable', 'gave-half', 'program-ended', 'internal'])
export type NarrativeFailure = z.infer<typeof narrativeFailure>

/** A checked text that stays until a later one replaces it. */
export const earlierText = z.object({ model: z.string(), writtenAt: moment, passages: z.array(passage), proved: count, unproved: count })
export type EarlierText = z.infer<typeof earlierText>

/** A model's text about a report. */
export const narrative = z.object({
  state: z.enum(['writing', 'checking', 'done', 'cancelled', 'failed']),
  model: z.string(),
  startedAt: moment,
  endedAt: moment.nullable(),
  /** The unchecked text so far while it is being written; empty afterwards. */
  draft: z.string(),
  passages: z.array(passage),
  /** Proved figures, and unproved sentences; in older narratives unproved figures. */
  proved: count,
  unproved: count,
  /** Calls to the model: one, and one more if passages failed the check. */
  asked: count,
  /** The endpoint's own count; null if it sends none. */
  tokens: z.object({ input: count, output: count }).nullable(),
  /** At the user's prices; null without them. */
  cost: z.object({ amount: decimalText, currency: currencyCode }).nullable(),
  /** Whether the user's notes were sent. */
  withNotes: z.boolean(),
  failure: narrativeFailure.nullable(),
  /** The previous text while this one has no passages; null if there was none. */
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
  /** Account keys; empty means all accounts. */
  accounts: z.array(z.string()),
  trades: count,
  /** Net P&L by currency. */
  net: z.array(z.object({ currency: currencyCode, amount: decimalText })),
  /** The number of `evident` findings. */
  evident: count,
  narrative: narrative.shape.state.nullable(),
})
export type ReportHead = z.infer<typeof reportHead>

/** A full report. */
export const report = reportHead.extend({
  /** The time zone of weekdays and hours. */
  zone: z.string(),
  /** The accounts of its trades with the pseudonyms that a model sees: `Account A`. */
  names: z.array(z.object({ account: z.string(), name: z.string(), pseudonym: z.string(), firm: firm.nullable() })),
  /** Largest first, then `untested`, then `too-little`. */
  findings: z.array(finding),
  facts: z.array(reportFact),
  /** Net P&L of each trading day and currency, earliest first; missing in older reports. */
  days: z.array(z.object({ day: calendarDay, currency: currencyCode, net: decimalText, trades: count })).optional(),
  /** How many account days of its period equaled the broker's figures when it was made, differed, or could not be checked; missing in older reports. */
  reconciled: z.object({ days: count, daysEqual: count, daysDiffer: count, daysUnchecked: count }).optional(),
  /** The number of tests in the correction, and the significance level: the share of reports on pure chance that show an evident finding is at most this. */
  tried: count,
  level: z.number(),
  narrative: narrative.nullable(),
})
export type Report = z.infer<typeof report>

/** The endpoint that writes narratives: any with OpenAI's chat completions API. Its key stays in the keychain and is never sent to the page. */
export const modelSettings = z.object({
  /** `https://…/v1`, or `http://` on this computer. */
  baseUrl: z.string(),
  model: z.string(),
  hasKey: z.boolean(),
  /** Per million tokens; null if the user entered none. */
  prices: z.object({ input: decimalText, output: decimalText, currency: currencyCode }).nullable(),
})
export type ModelSettings = z.infer<typeof modelSettings>

/** Which reports are made automatically after the last session of their period; `narrative`: with a narrative, if a model is set. */
export const reportSchedule = z.strictObject({ day: z.boolean(), week: z.boolean(), month: z.boolean(), narrative: z.boolean() })
export type ReportSchedule = z.infer<typeof reportSchedule>

const reportSettings = z.object({
  model: modelSettings.nullable(),
  schedule: reportSchedule,
  /** When the next report is due; null if none is scheduled. */
  nextAt: moment.nullable(),
})
export type ReportSettings = z.infer<typeof reportSettings>

const ofReport = z.strictObject({ id: identifier })

/** A report as a document in the reader's language, to export as Markdown or PDF. */
export const reportDocument = z.strictObject({
  title: z.string().min(1).max(300),
  blocks: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('heading'), level: z.union([z.literal(1), z.literal(2), z.literal(3)]), text: z.string().max(1000) }),
        z.strictObject({ kind: z.literal('paragraph'), text: z.string().max(20_000), tone: z.enum(['plain', 'muted', 'warning']) }),
        z.strictObject({ kind: z.literal('list'), items: z.array(z.string().max(5000)).max(500) }),
        z.strictObject({
          kind: z.literal('table'),
          head: z.array(z.string().max(200)).min(1).max(12),
          rows: z.array(z.array(z.string().max(500)).max(12)).max(2000),
          /** Columns of figures. */
          figures: z.array(z.number().int().min(0).max(11)),
        }),
        /** A line through `points` in order, with `levels` as labels of its values, `marks` as labels of points by their index, and `figures` below it. */
        z.strictObject({ kind: z.literal('curve'), title: z.string().max(300), points: z.array(z.number()).min(1).max(4000), levels: z.array(z.strictObject({ value: z.number(), text: z.string().max(40) })).max(12), marks: z.array(z.strictObject({ at: z.number().int().nonnegative(), text: z.string().max(40) })).max(12), figures: z.array(z.strictObject({ label: z.string().max(100), text: z.string().max(100) })).max(12) }),
        /** A grid of cells such as the days of a month. A cell without `text` is empty; one without `value` has no color. */
        z.strictObject({ kind: z.literal('calendar'), title: z.string().max(300), head: z.array(z.string().max(40)).min(1).max(14), rows: z.array(z.array(z.strictObject({ label: z.string().max(40), text: z.string().max(40), value: z.number().nullable() })).max(14)).max(60) }),
        z.strictObject({ kind: z.literal('bars'), title: z.string().max(300), bars: z.array(z.strictObject({ label: z.string().max(100), value: z.number(), text: z.string().max(100), marked: z.boolean() })).max(48) }),
      ]),
    )
    .max(2000),
})
export type ReportDocument = z.infer<typeof reportDocument>

/** `POST` a `reportDocument` here to get a PDF. */
export const reportPdfPath = '/api/reports/pdf'

/** AI reports. */
export const reportRoutes = {
  reports: { method: 'GET', path: '/api/reports', answer: z.object({ reports: z.array(reportHead), settings: reportSettings }) },
  /** Computes the findings and facts of a period and stores them. */
  makeReport: { method: 'POST', path: '/api/reports', body: z.strictObject({ period, accounts: z.array(identifier).max(500) }), answer: z.object({ report }) },
  report: { method: 'GET', path: '/api/reports/one', query: z.object({ id: identifier }), answer: z.object({ report }) },
  /** The trades behind a fact or finding, newest exit first; `of` is its id or key. A trade that has since been removed counts in `gone`, not in `total`. */
  reportTrades: {
    method: 'GET',
    path: '/api/reports/trades',
    query: z.object({ id: identifier, of: identifier, offset: z.coerce.number().int().min(0).default(0), limit: z.coerce.number().int().min(1).max(500).default(100) }),
    answer: z.object({ trades: z.array(tradeRecord), total: count, gone: count }),
  },
  removeReport: { method: 'POST', path: '/api/reports/remove', body: ofReport, answer: z.object({ removed: z.boolean() }) },
  /** The exact messages that would be sent, with a rough token count and their `digest`. */
  previewNarrative: {
    method: 'POST',
    path: '/api/reports/narrative/preview',
    body: ofReport.extend({ notes: z.boolean() }),
    answer: z.object({ messages: z.array(z.object({ role: z.enum(['system', 'user']), content: z.string() })), digest: z.string(), tokens: count, notes: count, host: z.string() }),
  },
  /** Starts writing. Refused with `preview-changed` if the messages no longer match `digest`. Progress is pushed as `report-narrative`. */
  writeNarrative: { method: 'POST', path: '/api/reports/narrative/write', body: ofReport.extend({ notes: z.boolean(), digest: z.string() }), answer: z.object({ narrative }) },
  cancelNarrative: { method: 'POST', path: '/api/reports/narrative/cancel', body: ofReport, answer: z.object({ canceled: z.boolean() }) },
  /** Null removes the endpoint and its key. Without `key`, the stored key stays for the same origin and is removed for another. */
  saveModel: {
    method: 'POST',
    path: '/api/reports/model',
    body: z.strictObject({ model: z.strictObject({ baseUrl: z.string().max(500), model: z.string().trim().min(1).max(200), key: z.string().max(1000).nullable().optional(), prices: modelSettings.shape.prices }).nullable() }),
    answer: z.object({ settings: reportSettings }),
  },
  /** One short test call to the endpoint. */
  tryModel: {
    method: 'POST',
    path: '/api/reports/model/try',
    body: z.strictObject({}),
    answer: z.object({
      ok: z.boolean(),
      failure: narrativeFailure.nullable(),
      /** The names of its models, if it lists them. */
      models: z.array(z.string()),
    }),
  },
  saveReportSchedule: { method: 'POST', path: '/api/reports/schedule', body: reportSchedule, answer: z.object({ settings: reportSettings }) },
} as const satisfies Record<string, Route>
