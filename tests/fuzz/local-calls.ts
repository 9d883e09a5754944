import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { booksCsvPath, booksCsvQuery } from '#shared/api/books.ts'
import { localRoutes } from '#shared/api/contract.ts'
import { ledgerCsvPath } from '#shared/api/copier.ts'
import { identifier } from '#shared/api/fields.ts'
import { uploadAnswer, uploadName, uploadPath } from '#shared/api/imports.ts'
import { journalFilePath, receivedJournal } from '#shared/api/journal-file.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { reportDocument, reportPdfPath } from '#shared/api/reports.ts'
import { tradesCsvPath, tradesCsvQuery } from '#shared/api/statistics.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { anyFormat } from '#tests/helpers/exports/any-format.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { decide } from '#tests/helpers/own-broker.ts'
import { reportedWeek } from '#tests/helpers/reported-trades.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'
import type { Sent, Tried } from './fuzz-laws.ts'
import { at, bobsAccount, draft, follower, leader, password, type LocalStage } from './local-stage.ts'

/** The caller: a user with a journal, the demo profile, a new user, or one who leaves. */
type Caller = 'mallory' | 'demo' | 'coming' | 'leaving'

/** What is right for a call at its moment; a text alone says why it is refused here whatever is sent. */
type RightCall = { readonly right: (stage: LocalStage, own: Browser) => Sent | Promise<Sent>; readonly by?: Caller; readonly exception?: Tried['exception'] }

const always = (sent: Sent = {}): RightCall => ({ right: () => sent })
const body = (given: (stage: LocalStage) => unknown): RightCall => ({ right: async (stage) => ({ body: await given(stage) }) })
const query = (given: (stage: LocalStage) => Record<string, unknown> | Promise<Record<string, unknown>>): RightCall => ({ right: async (stage) => ({ query: await given(stage) }) })
const coming = (given: RightCall['right']): RightCall => ({ right: given, by: 'coming' })
const leaving = (given: RightCall['right']): RightCall => ({ right: given, by: 'leaving' })
const notOffered = (sent: Sent, by: Caller = 'coming'): RightCall => ({ right: () => sent, by, exception: { why: 'only an identity provider has it, and this program has none', code: 'not-offered' } })

const nothingLeft = (call: RightCall): RightCall => ({ ...call, exception: { why: 'every trade is there, so nothing is left over', code: 'not-found' } })

const account = { accountId: leader }
const ownGroup = async ({ mallory }: LocalStage): Promise<string> => {
  const [known] = (await mallory.call(localRoutes.copier)).groups
  return (known ?? (await mallory.call(localRoutes.saveGroup, { body: { id: null, draft: draft('another') } })).group)?.id ?? ''
}
const group = (more: object = {}): RightCall => body(async (stage) => ({ id: await ownGroup(stage), ...more }))
const ownReport = async ({ mallory }: LocalStage): Promise<string> => (await mallory.call(localRoutes.reports)).reports[0]?.id ?? ''
const report = (more: object = {}): RightCall => body(async (stage) => ({ id: await ownReport(stage), ...more }))
const firstTrade = async ({ mallory }: LocalStage): Promise<string> => (await mallory.call(localRoutes.tradePage)).rows[0]?.id ?? ''
const ownTrade = (word: string) => ({ ...at, id: word })
const ownLogin = async ({ mallory }: LocalStage): Promise<string> => (await mallory.call(localRoutes.connectedAccounts)).accounts[0]?.loginId ?? ''
const upload = async ({ mallory }: LocalStage) => {
  const { fills } = threeFiles()
  return uploadAll(mallory, { 'Fills.csv': fills })
}
const newAddress = (): string => `${randomUUID()}@example.com`
const signedUp = async (browser: Browser): Promise<{ email: string; recoveryCode: string }> => {
  const email = newAddress()
  return { email, recoveryCode: (await browser.signUp(email, password)).recoveryCode }
}
const journalBytes = async ({ mallory }: LocalStage): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await (await fetch(`${mallory.origin}${journalFilePath}`, { headers: mallory.own() })).arrayBuffer())
const journalFile = async (stage: LocalStage): Promise<string> => {
  const { mallory } = stage
  const sent = await fetch(`${mallory.origin}${journalFilePath}`, { method: 'POST', headers: mallory.own(), body: await journalBytes(stage) })
  return receivedJournal.parse(await sent.json()).id
}
const newReport = async ({ mallory }: LocalStage) => (await mallory.call(localRoutes.makeReport, { body: { period: reportedWeek, accounts: [] } })).report
const setModel = ({ mallory, model }: LocalStage) => mallory.call(localRoutes.saveModel, { body: modelAt(model) })
const modelAt = ({ baseUrl }: LocalStage['model']) => ({ model: { baseUrl, model: 'story-teller', key: 'key', prices: { input: '0.15', output: '0.6', currency: 'USD' } } })
const rules = { startingBalance: '50000', currency: 'USD', maxLoss: { amount: '2000', trail: 'end-of-day', locksAt: '100', withOpen: true }, dailyLoss: null, profitTarget: '3000', consistency: null, minimumDays: 2, winningDays: null, contracts: null, flatBy: null, noHedging: true, timeLimit: null, payout: null }

/** Every call of the contract, in an order in which each finds what it needs: those that take something away come last. A call without a line does not compile. */
export const rightCalls: Record<keyof typeof localRoutes, RightCall> = {
  session: always(),
  passwordPolicy: always(),
  signUp: coming(() => ({ body: { email: newAddress(), password, displayName: 'Eve' } })),
  signIn: coming(async (_, browser) => ({ body: { email: (await signedUp(browser)).email, password } })),
  signInDemo: coming(() => ({})),
  resetPassword: coming(async (_, browser) => ({ body: { ...(await signedUp(browser)), newPassword: password } })),
  confirmRecoveryCode: coming(async (_, browser) => ({ body: await signedUp(browser) })),
  renewRecoveryCode: body(() => ({ password })),
  mailPasswordReset: notOffered({ body: { email: 'mallory@example.com' } }),
  mailSignInLink: notOffered({ body: { email: 'mallory@example.com' } }),
  signInByLink: notOffered({ body: { link: 'https://example.com/' } }),
  beginFederated: notOffered({ body: { provider: 'google' } }),
  endFederated: notOffered({ body: { attempt: 'a' } }),
  downloadTicket: body(() => ({ path: '/api/trades.csv' })),
  mailVerification: notOffered({}, 'mallory'),
  reloadUser: notOffered({}, 'mallory'),
  getTrades: query(({ userId }) => ({ userId })),
  addTrade: body(({ userId }) => ({ userId, trade: { ...ownTrade('mallory-1'), accountId: leader, side: 'long', pnl: 5, commission: '1.00', date: '2026-11-02', notes: 'n', tags: ['t'], stop: '4990' } })),
  updateTrade: body(({ userId }) => ({ userId, id: 'mallorys-trade', updates: { notes: 'later', qty: 2, stop: null } })),
  getFinances: query(({ userId }) => ({ userId })),
  addFinance: body(({ userId }) => ({ userId, finance: { id: 'mallory-2', type: 'expense', amount: 5, date: '2026-11-02', name: 'f', balance: '0', platform: 'other', firm: '', category: 'reset', account: leader, note: 'n' } })),
  addFill: body(({ userId }) => ({ userId, fill: { id: '9000000000001', accountId: leader, contractId: 77, contract: { productSymbol: 'MES', symbol: 'MESM7' }, action: 'buy', qty: 1, price: 6_000, timestamp: at.entryTime, platform: 'Tradovate' } })),
  dayNotes: query(() => ({ from: '2026-11-01', to: '2026-11-30' })),
  leftOverNotes: query(() => ({ from: '2026-11-01', to: '2026-11-30' })),
  moveLeftOver: nothingLeft(body(() => ({ id: 'gone', pairId: 'mine' }))),
  discardLeftOver: nothingLeft(body(() => ({ id: 'gone' }))),
  setDayNote: body(() => ({ tradingDay: '2026-11-02', notes: 'mine', tags: ['calm'] })),
  commissions: always(),
  setCommission: body(() => ({ of: { scope: 'account', ...account }, product: 'MES', perSide: '0.37' })),
  rematched: always(),
  dismissRematched: always(),
  pointValues: always(),
  setPointValue: body(() => ({ product: 'XYZ', pointValue: { amount: '5', currency: 'USD' } })),
  defaultStops: always(),
  setDefaultStops: body(() => ({ stops: [{ product: 'MES', unit: 'points', distance: '4' }] })),
  setCopyOf: body(() => ({ accountId: follower, leaderId: leader })),
  pairPage: query(() => ({ symbol: 'MES', offset: 0, limit: 10, sort: 'netPnl', direction: 'asc' })),
  tradePage: query(() => ({ accounts: leader, offset: 0, limit: 10, sort: 'qty', direction: 'asc' })),
  tradePairs: query(async (stage) => ({ tradeId: await firstTrade(stage) })),
  statistics: query(() => ({ unit: 'pairs', zone: 'Asia/Kolkata', timedBy: 'exit', from: '2026-11-01' })),
  comparison: query(() => ({ unit: 'pairs', compare: 'periods', with: ['2026-10-01..2026-10-31', '2026-11-01..2026-11-30'] })),
  excursionPoints: query(() => ({ unit: 'trades', priced: 'only', 'mae-from': '12.5' })),
  bookedPayouts: always(),
  filterChoices: always(),
  reconciliation: query(() => ({ from: '2026-11-01', accounts: leader })),
  reconciledDay: query(async ({ mallory }) => {
    const [day] = (await mallory.call(localRoutes.reconciliation)).days
    return { account: day?.account, day: day?.tradingDay }
  }),
  beginConsent: body(() => ({ returnTo: 'autosync', anotherLogin: true })),
  connectKey: { ...body(() => ({ firm: 'topstepx', userName: 'mallory', apiKey: 'no-key' })), exception: { why: 'the firm knows no key', code: 'key-refused' } },
  databaseAccounts: { ...body(() => ({ path: '/nowhere/NinjaTrader.sqlite' })), exception: { why: 'there is no database', code: 'database-missing' } },
  connectDatabase: { ...body(() => ({ path: '/nowhere/NinjaTrader.sqlite', accounts: ['A'] })), exception: { why: 'there is no database', code: 'database-missing' } },
  endConsent: body(async ({ mallory }) => ({ state: (await decide(mallory, 'ava.morgan', 'deny')).state })),
  connectedAccounts: always(),
  syncGaps: always(),
  closeGap: body(() => ({ ...account, tradingDay: '2026-11-02' })),
  syncNow: always(),
  syncState: always(),
  receipts: always(),
  mirrorState: always(),
  mirrorNow: always(),
  mirrorToNewAccount: always(),
  imports: always(),
  previewPrices: body(async (stage) => ({ uploads: await upload(stage), zone: 'UTC' })),
  importPrices: body(async (stage) => ({ uploads: await upload(stage), zone: 'UTC' })),
  prices: always(),
  priceFeeds: always(),
  setPriceFeed: body(() => ({ feed: 'tradovate', on: true })),
  setDatabento: body(() => ({ limit: '5.00', detail: 'trades' })),
  databentoCost: always(),
  fetchPrices: body(() => ({ spend: null })),
  stopFetchingPrices: always(),
  setPriceLimit: body(() => ({ megabytes: 100, days: 30 })),
  excursions: query(async (stage) => ({ id: await firstTrade(stage) })),
  tradeChart: query(async (stage) => ({ id: await firstTrade(stage) })),
  chartLimits: query(async (stage) => ({ id: await firstTrade(stage) })),
  candles: query(async (stage) => ({ id: await firstTrade(stage), from: 0, to: 60_000, size: 60 })),
  steps: query(async (stage) => ({ id: await firstTrade(stage), from: 0, to: 60_000 })),
  whatIf: body(() => ({ filter: { symbol: 'MES', tag: ['t'] }, rules: [{ stop: { in: 'ticks', value: 8 }, first: { at: { in: 'r', value: 100 }, percent: 50 } }], slippage: 1, fee: '0.37', horizon: { until: 'minutes', minutes: 30 }, insideBars: 'every-price' })),
  removePrices: body(() => ({ contract: 'MNQZ6', source: 'ninjatrader-ticks', grain: 0 })),
  removeAllPrices: always(),
  previewImport: body(async (stage) => importRequest(await upload(stage))),
  addImport: body(async (stage) => importRequest(await upload(stage))),
  cancelImport: body(() => ({ work: randomUUID() })),
  dropUploads: body(async (stage) => ({ uploads: (await upload(stage)).map(({ id }) => id) })),
  inspectFile: body(async (stage) => ({ upload: (await upload(stage))[0]?.id, name: 'Fills.csv' })),
  tryFormat: body(async (stage) => ({ upload: (await upload(stage))[0]?.id, name: 'Fills.csv', format: anyFormat, zone: 'UTC' })),
  importFormats: always(),
  saveImportFormat: body(() => ({ format: anyFormat })),
  removeImportFormat: body(() => ({ id: 'csv-1' })),
  undoImport: body(async ({ mallory }) => ({ id: (await mallory.call(localRoutes.imports)).imports[0]?.id })),
  history: always(),
  startHistory: body(async (stage) => ({ loginId: await ownLogin(stage), since: '2026-11-10' })),
  stopHistory: body(async (stage) => ({ loginId: await ownLogin(stage) })),
  declineHistory: body(async (stage) => ({ loginId: await ownLogin(stage) })),
  dropJournalFile: body(async (stage) => ({ id: await journalFile(stage) })),
  importJournal: body(async (stage) => ({ id: await journalFile(stage) })),
  journalHealth: always(),
  backups: always(),
  makeBackup: always(),
  previewRestore: query(async ({ mallory }) => ({ name: (await mallory.call(localRoutes.makeBackup)).name })),
  restoreBackup: body(async ({ mallory }) => ({ name: (await mallory.call(localRoutes.makeBackup)).name })),
  getSubscription: query(({ userId }) => ({ userId })),
  createSubscription: body(({ userId }) => ({ userId, subscription: { status: 'active' } })),
  saveSubscription: body(({ userId }) => ({ userId, subscription: { hasSubscription: false } })),
  payments: { ...body(({ userId }) => ({ userId, action: 'create-checkout-session', subscriptionType: 'autosync' })), exception: { why: 'a cloud sells, and this program has none', code: 'payments-not-configured' } },
  copier: always(),
  saveGroup: body(async (stage) => ({ id: await ownGroup(stage), draft: draft('renamed') })),
  consent: body(() => ({})),
  arm: group({ onlyMachine: true }),
  pause: group(),
  resume: group(),
  flatten: group(),
  answerStart: group({ account: follower, answer: 'leave' }),
  settle: group({ account: follower, answer: 'leave' }),
  unlock: group({ account: follower }),
  cancelLeft: group(),
  ledger: query(async (stage) => ({ groupId: await ownGroup(stage), limit: 10 })),
  dryRun: query(async (stage) => ({ groupId: await ownGroup(stage), days: 7 })),
  copierFigures: query(async (stage) => ({ groupId: await ownGroup(stage), days: 7 })),
  positions: always(),
  closePosition: body(() => ({ account: leader, contract: 'NQZ6' })),
  flattenAccount: body(() => ({ account: leader })),
  rules: always(),
  rulePresets: always(),
  saveRules: body(() => ({ account: leader, set: rules, presetId: null, since: '2026-11-01' })),
  tryRules: body(() => ({ account: leader, set: rules, since: '2026-11-01' })),
  setStage: body(() => ({ account: leader, stage: 'funded' })),
  replay: body(() => ({ account: leader, rules: { set: rules }, since: null })),
  odds: body(() => ({ account: leader, rules: { set: rules }, since: null, runs: 100, seed: 1 })),
  alerts: query(() => ({ before: 100 })),
  saveAlertSettings: body(() => ({ on: true, at: [80], toast: true, system: true, sound: false })),
  alertsSeen: body(() => ({ upTo: 1 })),
  reports: always(),
  makeReport: body(() => ({ period: reportedWeek, accounts: [leader] })),
  report: query(async (stage) => ({ id: await ownReport(stage) })),
  reportTrades: query(async (stage) => {
    const { id, facts } = await newReport(stage)
    return { id, of: facts[0]?.id, offset: 0, limit: 10 }
  }),
  saveModel: body(({ model }) => modelAt(model)),
  tryModel: body(async (stage) => {
    await setModel(stage)
    return {}
  }),
  saveReportSchedule: body(() => ({ day: false, week: false, month: false, narrative: false })),
  previewNarrative: report({ notes: true }),
  writeNarrative: body(async (stage) => {
    const { id } = await newReport(stage)
    return { id, notes: true, digest: (await stage.mallory.call(localRoutes.previewNarrative, { body: { id, notes: true } })).digest }
  }),
  cancelNarrative: report(),
  demoTrade: { ...body(() => ({ account: leader, product: 'MNQ', side: 'buy', qty: 1 })), by: 'demo' },
  disarm: group(),
  removeGroup: group(),
  removeReport: report(),
  removeTrade: body(({ userId }) => ({ userId, id: 'mallorys-trade' })),
  restorePair: body(() => ({ id: 'mallorys-trade' })),
  recordById: query(() => ({ id: 'mallorys-trade' })),
  findNotes: query(() => ({ text: 'opening drive' })),
  tagPairs: body(() => ({ tag: 'mine', change: 'add', of: { unit: 'pairs', filter: {}, except: [] } })),
  savePairs: body(() => ({ edits: [{ id: 'mallorys-trade', updates: { notes: 'mine' }, base: { notes: '' } }] })),
  removeFinance: body(({ userId }) => ({ userId, id: 'mallorys-finance' })),
  tradovate: body(async ({ mallory, userId }) => {
    const { code, state } = await decide(mallory, 'ava.morgan')
    return { userId, code, state }
  }),
  signOut: leaving(() => ({})),
  deleteAccount: leaving(async (_, browser) => {
    await signedUp(browser)
    return { body: { password } }
  }),
}

const bytes = z.unknown()
/** What is mounted beside the contract: files, in either direction. */
export const rightFiles: readonly (Omit<Tried, 'right'> & RightCall)[] = [
  { name: 'the trades as CSV', route: { method: 'GET', path: tradesCsvPath, query: tradesCsvQuery, answer: bytes }, ...query(() => ({ zone: 'Asia/Kolkata', symbols: 'MES', from: '2026-11-01' })) },
  { name: 'earnings and expenses as CSV', route: { method: 'GET', path: booksCsvPath, query: booksCsvQuery, answer: bytes }, ...query(() => ({ firm: 'Tradeify', from: '2026-11-01' })) },
  { name: 'the ledger as CSV', route: { method: 'GET', path: ledgerCsvPath, query: z.object({ groupId: identifier.optional() }), answer: bytes }, ...query(async (stage) => ({ groupId: await ownGroup(stage) })) },
  { name: 'a PDF', route: { method: 'POST', path: reportPdfPath, body: reportDocument, answer: bytes }, ...body(() => ({ title: 'A week', blocks: [{ kind: 'table', head: ['a', 'b'], rows: [['1', '2']], figures: [1] }, { kind: 'bars', title: 'bars', bars: [{ label: 'a', value: 1, text: '1', marked: true }] }, { kind: 'heading', level: 1, text: 'h' }] })) },
  { name: 'an upload', route: { method: 'POST', path: uploadPath, query: z.object({ name: uploadName }), answer: uploadAnswer }, right: () => ({ query: { name: 'Fills.csv' }, body: {} }) },
  { name: 'a picture', route: { method: 'GET', path: picturePath, query: z.object({ name: pictureName }), answer: bytes }, ...query(() => ({ name: `${'a'.repeat(64)}.png` })), exception: { why: 'there is none', code: 'not-found' } },
  { name: 'a picture that is kept', route: { method: 'POST', path: picturePath, answer: z.object({ success: z.literal(true), name: pictureName }) }, right: () => ({ body: Buffer.from('\x89PNG\r\n\x1a\nof mallory', 'latin1') }) },
  { name: 'the journal as a file', route: { method: 'GET', path: journalFilePath, answer: bytes }, right: () => ({}) },
  { name: 'a journal that is brought', route: { method: 'POST', path: journalFilePath, answer: receivedJournal }, ...body(journalBytes) },
]

/** The call that is valid for Bob, in Mallory's name: all ids are his. Null if it names no ids. */
export const namingBob = async (stage: LocalStage, { right, by = 'mallory' }: RightCall): Promise<Sent | null> => {
  if (by !== 'mallory') return null
  const sent = await right({ ...stage, mallory: stage.bob }, stage.bob)
  if (sent.body instanceof Uint8Array) return null
  const text = JSON.stringify(sent)
  const named = text.replaceAll(`"${leader}"`, `"${bobsAccount}"`).replaceAll('"mallorys-', `"${stage.marker}-`)
  return named === text && named === JSON.stringify(await right(stage, stage.mallory)) ? null : (JSON.parse(named) as Sent)
}

/** A known session, whatever the last call did to it; signed in if the call needs it. */
export const aliveOf = async ({ app, later }: LocalStage, browser: Browser, hasUser: boolean): Promise<Browser> => {
  const { status, body: sessionText } = await browser.send(localRoutes.session.path)
  const known = status === 200 ? browser : await app.newBrowser()
  if (!hasUser || (status === 200 && typeof localRoutes.session.answer.parse(JSON.parse(sessionText)).currentUser?.email === 'string')) return known
  later()
  await signedUp(known)
  return known
}
