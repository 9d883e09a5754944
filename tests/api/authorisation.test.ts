import { randomBytes, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booksCsvPath } from '#shared/api/books.ts'
import { uploadPath } from '#shared/api/imports.ts'
import { localRoutes } from '#shared/api/contract.ts'
import { ledgerCsvPath } from '#shared/api/copier.ts'
import { journalFilePath } from '#shared/api/journal-file.ts'
import { picturePath } from '#shared/api/pictures.ts'
import { reportPdfPath } from '#shared/api/reports.ts'
import type { Route } from '#shared/api/route.ts'
import { tradesCsvPath } from '#shared/api/statistics.ts'
import { browserKeyHeader } from '#shared/api/session.ts'
import { eventsPath } from '#shared/api/sync.ts'
import { noRules } from '#shared/rules/terms.ts'
import { startSharedApp, type App } from '#tests/helpers/app.ts'
import { anyFormat } from '#tests/helpers/exports/any-format.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { rawRequest, type RawAnswer } from '#tests/helpers/raw-request.ts'

const password = 'correct horse'
const secret = 'what only Bob may read'
const at = { symbol: 'MESZ6', qty: 1, entryPrice: 5000, exitPrice: 5001, entryTime: '2026-11-02T15:00:00Z', exitTime: '2026-11-02T15:05:00Z' }
const paid = { status: 'active', subscriptionType: 'tradecopier', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true }

const clock = { now: Date.UTC(2026, 10, 2, 15) }
let app: App
let ann: Browser
let anns: string
let bobs: string
beforeAll(async () => {
  app = await startSharedApp({ now: () => clock.now, gates: 'closed' })
  ann = app.browser
  anns = (await ann.signUp()).userId
  const bob = await app.newBrowser()
  bobs = (await bob.signUp('bob@example.com')).userId
  await bob.call(localRoutes.addTrade, { body: { userId: bobs, trade: { ...at, id: 'bob-1', notes: secret } } })
  await bob.call(localRoutes.setDayNote, { body: { tradingDay: '2026-11-02', notes: secret } })
})
afterAll(() => app.stop())

type Sent = { readonly query?: Record<string, string | readonly string[]>; readonly body?: Record<string, unknown> }
/** One call, whatever it is mounted by. */
type Call = { readonly name: string; readonly method: 'GET' | 'POST'; readonly path: string; readonly access: 'none' | 'user'; readonly sent: Sent; readonly text: string | null }

/** What Ann could send to each route. A route without a line here does not compile. */
const ownOf = (): Record<keyof typeof localRoutes, Sent> => {
  const userId = anns
  const file = { id: randomUUID() }
  const login = { loginId: 'nobodys-login' }
  const work = { work: randomUUID(), uploads: [] }
  const account = { accountId: 'tradovate:demo:1' }
  const group = { id: 'nobodys-group' }
  const report = { id: 'nobodys-report' }
  return {
    session: {},
    passwordPolicy: {},
    signUp: { body: { email: 'carl@example.com', password } },
    signIn: { body: { email: 'ann@example.com', password } },
    signInDemo: {},
    resetPassword: { body: { email: 'ann@example.com', recoveryCode: 'AAAA', newPassword: password } },
    confirmRecoveryCode: { body: { email: 'ann@example.com', recoveryCode: 'AAAA' } },
    renewRecoveryCode: { body: { password } },
    mailPasswordReset: { body: { email: 'ann@example.com' } },
    mailSignInLink: { body: { email: 'ann@example.com' } },
    signInByLink: { body: { link: 'https://example.com/' } },
    beginFederated: { body: { provider: 'google' } },
    endFederated: { body: { attempt: 'a' } },
    getTrades: { query: { userId } },
    addTrade: { body: { userId, trade: { ...at, id: 'ann-1' } } },
    removeTrade: { body: { userId, id: 'ann-1' } },
    savePairs: { body: { edits: [{ id: 'ann-1', updates: { notes: 'mine' }, base: { notes: '' } }] } },
    restorePair: { body: { id: 'ann-1' } },
    recordById: { query: { id: 'ann-1' } },
    findNotes: { query: { text: 'mine' } },
    tagPairs: { body: { tag: 'mine', change: 'add', of: { ids: ['ann-1'] } } },
    updateTrade: { body: { userId, id: 'ann-1', updates: { notes: 'mine' } } },
    getFinances: { query: { userId } },
    addFinance: { body: { userId, finance: { id: 'f', type: 'earning', amount: 1, name: 'f', balance: 0, platform: 'other' } } },
    removeFinance: { body: { userId, id: 'f' } },
    addFill: { body: { userId, fill: { id: '1', accountId: '1', action: 'buy', qty: 1, price: 5000, timestamp: at.entryTime, contractSymbol: 'MESZ6' } } },
    dayNotes: {},
    setDayNote: { body: { tradingDay: '2026-11-02', notes: 'mine' } },
    leftOverNotes: {},
    moveLeftOver: { body: { id: 'gone', pairId: 'mine' } },
    discardLeftOver: { body: { id: 'gone' } },
    commissions: {},
    setCommission: { body: { of: { kind: 'all' }, product: 'MES', perSide: '1.00' } },
    pointValues: {},
    setPointValue: { body: { product: 'XYZ', pointValue: { amount: '5', currency: 'USD' } } },
    defaultStops: {},
    setDefaultStops: { body: { stops: [{ product: 'MES', unit: 'points', distance: '4' }] } },
    rematched: {},
    dismissRematched: {},
    setCopyOf: { body: { ...account, leaderId: null } },
    pairPage: {},
    tradePage: {},
    tradePairs: { query: { tradeId: 't' } },
    statistics: {},
    excursionPoints: {},
    comparison: { query: { compare: 'products', with: ['MES', 'MNQ'] } },
    bookedPayouts: {},
    filterChoices: {},
    reconciliation: {},
    reconciledDay: { query: { account: 'A', day: '2026-11-02' } },
    tradovate: { body: { userId, action: 'account' } },
    beginConsent: { body: { returnTo: 'autosync' } },
    connectKey: { body: { firm: 'topstepx', userName: 'ann', apiKey: 'key' } },
    databaseAccounts: { body: { path: '/nowhere/NinjaTrader.sqlite' } },
    connectDatabase: { body: { path: '/nowhere/NinjaTrader.sqlite', accounts: ['A'] } },
    endConsent: { body: {} },
    connectedAccounts: {},
    syncGaps: {},
    closeGap: { body: { ...account, tradingDay: '2026-11-02' } },
    syncNow: {},
    syncState: {},
    receipts: {},
    mirrorState: {},
    mirrorNow: {},
    mirrorToNewAccount: {},
    previewPrices: { body: { uploads: [{ id: randomUUID(), name: 'a.txt' }], zone: 'UTC' } },
    importPrices: { body: { uploads: [{ id: randomUUID(), name: 'a.txt' }], zone: 'UTC' } },
    prices: {},
    excursions: { query: { id: 't' } },
    tradeChart: { query: { id: 't' } },
    chartLimits: { query: { id: 't' } },
    candles: { query: { id: 't', from: '0', to: '1000', size: '60' } },
    steps: { query: { id: 't', from: '0', to: '1000' } },
    whatIf: { body: { filter: {}, rules: [{ minutes: 5 }] } },
    removePrices: { body: { contract: 'MNQZ6', source: 'ninjatrader-ticks', grain: 0 } },
    removeAllPrices: {},
    priceFeeds: {},
    setPriceFeed: { body: { feed: 'tradovate', on: true } },
    setDatabento: { body: { limit: '5.00', detail: 'trades' } },
    databentoCost: {},
    fetchPrices: { body: { spend: null } },
    stopFetchingPrices: {},
    setPriceLimit: { body: { megabytes: 100, days: null } },
    previewImport: { body: work },
    addImport: { body: work },
    cancelImport: { body: work },
    dropUploads: { body: { uploads: [] } },
    inspectFile: { body: { upload: randomUUID(), name: 'a.csv' } },
    tryFormat: { body: { upload: randomUUID(), name: 'a.csv', format: anyFormat, zone: 'UTC' } },
    importFormats: {},
    saveImportFormat: { body: { format: anyFormat } },
    removeImportFormat: { body: { id: 'csv-1' } },
    undoImport: { body: { id: 'i' } },
    imports: {},
    history: {},
    startHistory: { body: { ...login, since: '2026-01-02' } },
    stopHistory: { body: login },
    declineHistory: { body: login },
    importJournal: { body: file },
    dropJournalFile: { body: file },
    journalHealth: {},
    backups: {},
    makeBackup: {},
    previewRestore: { query: { name: 'journal-2026-11-02T15-00-00Z.db' } },
    restoreBackup: { body: { name: 'journal-2026-11-02T15-00-00Z.db' } },
    getSubscription: { query: { userId } },
    createSubscription: { body: { userId, subscription: {} } },
    saveSubscription: { body: { userId, subscription: { hasSubscription: false } } },
    payments: { body: { userId, action: 'create-portal-session' } },
    copier: {},
    saveGroup: { body: { id: null, draft: { name: 'g', leader: account.accountId, followers: [{ account: 'tradovate:demo:2', on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 1, invert: false, guard: false }], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true } } },
    removeGroup: { body: group },
    consent: {},
    arm: { body: { ...group, onlyMachine: true } },
    disarm: { body: group },
    pause: { body: group },
    resume: { body: group },
    flatten: { body: group },
    positions: {},
    closePosition: { body: { account: account.accountId, contract: 'MESZ6' } },
    flattenAccount: { body: { account: account.accountId } },
    answerStart: { body: { ...group, account: account.accountId, answer: 'leave' } },
    settle: { body: { ...group, account: account.accountId, answer: 'leave' } },
    unlock: { body: { ...group, account: account.accountId } },
    cancelLeft: { body: group },
    ledger: {},
    dryRun: {},
    copierFigures: {},
    rules: {},
    rulePresets: {},
    saveRules: { body: { account: account.accountId, set: null, presetId: null, since: null } },
    tryRules: { body: { account: account.accountId, set: { ...noRules('USD'), startingBalance: '50000' }, since: null } },
    setStage: { body: { account: account.accountId, stage: null } },
    replay: { body: { account: account.accountId, rules: { own: true }, since: null } },
    odds: { body: { account: account.accountId, rules: { own: true }, since: null, runs: 100, seed: 1 } },
    alerts: {},
    saveAlertSettings: { body: { on: true, at: [80], toast: true, system: true, sound: false } },
    alertsSeen: { body: { upTo: 1 } },
    reports: {},
    makeReport: { body: { period: { kind: 'day', from: '2026-11-02', to: '2026-11-02' }, accounts: [] } },
    report: { query: report },
    reportTrades: { query: { ...report, of: 'f1' } },
    removeReport: { body: report },
    previewNarrative: { body: { ...report, notes: true } },
    writeNarrative: { body: { ...report, notes: true, digest: '0' } },
    cancelNarrative: { body: report },
    saveModel: { body: { model: null } },
    tryModel: { body: {} },
    saveReportSchedule: { body: { day: false, week: false, month: false, narrative: false } },
    demoTrade: { body: { account: account.accountId, product: 'MNQ', side: 'buy', qty: 1 } },
    downloadTicket: { body: { path: tradesCsvPath } },
    mailVerification: {},
    reloadUser: {},
    // These two come last: they end the session.
    signOut: {},
    deleteAccount: { body: { password } },
  }
}

/** What is mounted beside the contract: bytes as they are, and the stream of events. */
const besides = [
  { name: 'the events', method: 'GET', path: eventsPath },
  { name: 'a picture', method: 'GET', path: picturePath, query: { name: `${'a'.repeat(64)}.png` } },
  { name: 'a new picture', method: 'POST', path: picturePath },
  { name: 'the journal as a file', method: 'GET', path: journalFilePath },
  { name: 'a file of a journal', method: 'POST', path: journalFilePath },
  { name: 'an upload', method: 'POST', path: uploadPath, query: { name: 'fills.csv' } },
  { name: 'the ledger as CSV', method: 'GET', path: ledgerCsvPath },
  { name: 'the trades as CSV', method: 'GET', path: tradesCsvPath },
  { name: 'a PDF', method: 'POST', path: reportPdfPath },
  { name: 'earnings and expenses as CSV', method: 'GET', path: booksCsvPath },
] as const

const allCalls = (): Call[] => {
  const own = ownOf()
  const ofContract = (Object.keys(own) as (keyof typeof localRoutes)[]).map((name): Call => {
    const { method, path, access = 'user', failure }: Route = localRoutes[name]
    return { name, method, path, access, sent: own[name], text: typeof failure === 'function' ? failure(own[name].body) : (failure ?? null) }
  })
  return [...ofContract, ...besides.map(({ name, method, path, ...more }): Call => ({ name, method, path, access: 'user', text: null, sent: { ...('query' in more ? { query: more.query } : {}), ...(method === 'POST' ? { body: {} } : {}) } }))]
}

const ask = ({ method, path, sent }: Call, headers: Record<string, string>, more: Sent = {}): Promise<RawAnswer> => {
  const search = new URLSearchParams(Object.entries({ ...sent.query, ...more.query }).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))).toString()
  const body = method === 'POST' ? { body: JSON.stringify({ ...sent.body, ...more.body }) } : {}
  return rawRequest(`${ann.origin}${path}${search === '' ? '' : `?${search}`}`, { method, headers: { ...(method === 'POST' ? { 'content-type': 'application/json', origin: ann.origin } : {}), ...headers }, ...body })
}

/** Every row of every table, and the name of every uploaded file. */
const everything = (): unknown => {
  return { journal: rowsIn('journal.db'), copier: rowsIn('copier.db'), consents: readFileSync(join(app.dataDir, 'copier.json'), 'utf8'), files: globSync('{imports,journal-files,pictures}/**/*', { cwd: app.dataDir }).sort() }
}

const rowsIn = (file: string): Record<string, string[]> => {
  const database = new Sqlite(join(app.dataDir, file), { readonly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[]
    return Object.fromEntries(tables.map((table) => [table, (database.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][]).map((row) => JSON.stringify(row)).sort()]))
  } finally {
    database.close()
  }
}

/** Walks calls in one way: each is refused so, nothing of Bob's is in an answer, and nothing changed. */
const allRefused = async (calls: readonly Call[], headers: Record<string, string>, wanted: readonly [status: number, code: string], more: (call: Call) => Sent = () => ({})): Promise<void> => {
  const before = everything()
  for (const call of calls) {
    const { status, body } = await ask(call, headers, more(call))
    expect([call.name, status, (JSON.parse(body) as { code: unknown }).code, body.includes(secret)]).toEqual([call.name, ...wanted, false])
    expect(Object.keys(JSON.parse(body) as object).sort(), call.name).toEqual(['code', 'error', 'success'])
    if (call.text !== null && !wanted[1].startsWith('strange')) expect([call.name, (JSON.parse(body) as { error: string }).error]).toEqual([call.name, call.text])
  }
  expect(everything()).toEqual(before)
}

const cookieName = (): string => ann.cookie().split('=')[0] ?? ''
const ofUsers = (): Call[] => allCalls().filter(({ access }) => access === 'user')

test('the table covers every route', () => {
  expect(Object.keys(ownOf()).sort()).toEqual(Object.keys(localRoutes).sort())
  expect(ofUsers().length).toBeGreaterThan(50)
  // What is mounted beside the contract is found in the sources.
  const backend = new URL('../../electron/backend/', import.meta.url).pathname
  const mounted = globSync('**/*.ts', { cwd: backend }).flatMap((file) => [...readFileSync(join(backend, file), 'utf8').matchAll(/app\.(get|post|put|patch|delete|all)\((\w+Path)\b/g)].map(([, method, path]) => `${String(method)} ${String(path)}`))
  expect(mounted.filter((one) => one !== 'get closerPath').sort()).toEqual(['get booksCsvPath', 'get eventsPath', 'get journalFilePath', 'get ledgerCsvPath', 'get picturePath', 'get tradesCsvPath', 'post journalFilePath', 'post picturePath', 'post reportPdfPath', 'post uploadPath'])
})

test('without a session cookie every call is refused, even one that needs no user', async () => {
  await allRefused(allCalls(), {}, [401, 'no-session'])
  await allRefused(allCalls(), { cookie: `${cookieName()}=` }, [401, 'no-session'])
})

test('a forged cookie is refused', async () => {
  await allRefused(allCalls(), { cookie: `${cookieName()}=${randomBytes(32).toString('base64url')}` }, [401, 'no-session'])
  // The hash that is kept is no cookie.
  const database = new Sqlite(join(app.dataDir, 'journal.db'), { readonly: true })
  const hashes = database.prepare('SELECT id_hash FROM sessions').pluck().all() as string[]
  database.close()
  for (const hash of hashes) await allRefused(ofUsers().slice(0, 5), { cookie: `${cookieName()}=${hash}` }, [401, 'no-session'])
})

test('the cookie of an ended session is refused', async () => {
  const leaving = await app.newBrowser()
  await leaving.call(localRoutes.signIn, { body: { email: 'bob@example.com', password } })
  const before = leaving.own()
  await leaving.call(localRoutes.signOut)
  await allRefused(allCalls().filter(({ name }) => name !== 'session'), before, [401, 'no-session'])
})

test('neither a session cookie without its key nor a key without its cookie is accepted', async () => {
  const key = (await app.newBrowser()).key()
  await allRefused(allCalls(), { cookie: ann.cookie() }, [401, 'no-session'])
  for (const wrong of ['', 'x', key]) await allRefused(wrong === key ? allCalls().filter(({ name }) => name !== 'session') : allCalls(), { cookie: ann.cookie(), [browserKeyHeader]: wrong }, [401, 'no-session'])
  await allRefused(allCalls().filter(({ name }) => name !== 'session'), { [browserKeyHeader]: ann.key() }, [401, 'no-session'])
})

test('a writing call without an origin is refused', async () => {
  const silent = { cookie: ann.cookie(), [browserKeyHeader]: ann.key() }
  const before = everything()
  for (const { name, path, sent } of allCalls().filter(({ method }) => method === 'POST')) {
    const { status, body } = await rawRequest(`${ann.origin}${path}`, { method: 'POST', headers: { ...silent, 'content-type': 'application/json' }, body: JSON.stringify(sent.body ?? {}) })
    expect([name, status, (JSON.parse(body) as { code: unknown }).code]).toEqual([name, 403, 'strange-origin'])
  }
  expect(everything()).toEqual(before)
})

test("a browser without a signed-in user reads no user's data", async () => {
  const known = await app.newBrowser()
  await allRefused(ofUsers(), known.own(), [401, 'not-signed-in'])
})

test('a call that names another user is refused, wherever the id appears', async () => {
  const cookie = ann.own()
  const refused = [403, 'not-this-user'] as const
  await allRefused(ofUsers(), cookie, refused, () => ({ query: { userId: bobs } }))
  const posts = ofUsers().filter(({ name, method }) => method === 'POST' && name in localRoutes)
  await allRefused(posts, cookie, refused, () => ({ body: { userId: bobs } }))
  await allRefused(posts, cookie, refused, () => ({ body: { inside: { userId: bobs } } }))
  await allRefused(posts, cookie, refused, ({ sent }) => {
    const [record] = Object.entries(sent.body ?? {}).filter(([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value))
    return { body: record === undefined ? { any: { userId: bobs } } : { [record[0]]: { ...(record[1] as object), userId: bobs } } }
  })
})

test('a page of another origin can make no call, whatever its cookie', async () => {
  await allRefused(allCalls(), { ...ann.own(), origin: 'https://evil.example' }, [403, 'strange-origin'])
  await allRefused(allCalls(), { ...ann.own(), 'sec-fetch-site': 'cross-site' }, [403, 'strange-origin'])
})

test('a call under another host name is refused, whatever its cookie', async () => {
  await allRefused(allCalls(), { ...ann.own(), host: 'evil.example' }, [403, 'strange-host'])
})

test('data of one user is returned to nobody else, even where the call names no user', async () => {
  const before = everything()
  const removed = await ann.fail(localRoutes.removeTrade, { body: { userId: anns, id: 'bob-1' } })
  expect(removed).toMatchObject({ status: 404, code: 'not-found' })
  expect(await ann.fail(localRoutes.updateTrade, { body: { userId: anns, id: 'bob-1', updates: { notes: 'mine' } } })).toMatchObject({ status: 404 })
  for (const call of ofUsers().filter(({ method, name }) => method === 'GET' && name !== 'the events')) expect([call.name, (await ask(call, ann.own())).body.includes(secret)]).toEqual([call.name, false])
  expect(everything()).toEqual(before)
})

test('a body that claims more rights for its own user is refused or grants nothing', async () => {
  const before = everything()
  const refused = { status: 409, code: 'read-only-field' }
  expect(await ann.fail(localRoutes.createSubscription, { body: { userId: anns, subscription: { ...paid, userId: anns } } })).toMatchObject(refused)
  for (const [name, value] of Object.entries(paid)) if (name !== 'status') expect([name, await ann.fail(localRoutes.createSubscription, { body: { userId: anns, subscription: { [name]: value } } })]).toMatchObject([name, refused])
  expect(everything()).toEqual(before)
  await ann.call(localRoutes.createSubscription, { body: { userId: anns, subscription: {} } })
  for (const [name, value] of Object.entries({ ...paid, status: 'trialing' })) expect([name, await ann.fail(localRoutes.saveSubscription, { body: { userId: anns, subscription: { [name]: value } } })]).toMatchObject([name, refused])
  // Whoever signs up chooses neither a role nor the demo's profile.
  const eve = await app.newBrowser()
  const { currentUser } = await eve.call(localRoutes.signUp, { body: { email: 'eve@example.com', password, demo: true, id: 'demo', uid: 'demo', role: { admin: true }, subscription: paid } as never })
  expect(await eve.call(localRoutes.session)).toMatchObject({ demo: false, currentUser: { uid: currentUser.uid } })
  expect(await eve.call(localRoutes.getSubscription, { query: { userId: currentUser.uid } })).toEqual({ subscription: null, role: { admin: false, subscriber: false }, verifiedAt: null })
  expect(await eve.fail(localRoutes.syncNow)).toMatchObject({ status: 402, code: 'plan-needed' })
})

test('an expired session is refused', async () => {
  clock.now += 91 * 86_400_000
  await allRefused(allCalls(), ann.own(), [401, 'no-session'])
  ann = await app.newBrowser()
  await ann.call(localRoutes.signIn, { body: { email: 'ann@example.com', password } })
})

test('the same calls succeed for their own user, and none grants a right on the way', { tags: 'long' }, async () => {
  const raising = { role: { admin: true, subscriber: true }, admin: true, plan: paid }
  const calls = ofUsers().filter(({ name }) => name !== 'the events' && name !== 'deleteAccount' && name !== 'signOut')
  for (const call of calls) {
    const { status } = await ask(call, ann.own(), call.method === 'POST' ? { body: raising } : {})
    expect([call.name, status === 401 || status === 403 || status >= 500, status === 402]).toEqual([call.name, false, ['syncNow', 'beginConsent', 'connectKey', 'databaseAccounts', 'connectDatabase', 'startHistory', 'positions'].includes(call.name)])
  }
  expect(await ann.call(localRoutes.getSubscription, { query: { userId: anns } })).toMatchObject({ subscription: { status: 'active', cancelAtPeriodEnd: false }, role: { admin: false, subscriber: false } })
  const events = await ann.events()
  events.close()
  for (const name of ['signOut', 'deleteAccount'] as const) {
    const leaving = await app.newBrowser()
    await leaving.call(localRoutes.signIn, { body: { email: 'ann@example.com', password } })
    expect([name, (await leaving.send(localRoutes[name].path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ownOf()[name].body ?? {}) })).status]).toEqual([name, 200])
  }
})
