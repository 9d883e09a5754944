import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { createTokenStore, type TokenRecord, type TokenStore } from '#backend/secrets/token-store.ts'
import { createTokenKeeper, type Brokerage } from '#backend/sync/token-keeper.ts'
import { productionHosts } from '#tests/helpers/production-hosts.ts'
import { brokerageAt, consentTo } from '../helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '../helpers/sync-journal.ts'
import { testTiming } from '../helpers/test-timing.ts'

const ava = 'ava.morgan'
const hour = 3_600_000

const begin = async (): Promise<{ broker: TestBroker; brokerage: Brokerage; it: SyncJournal }> => {
  const timing = testTiming()
  const broker = await startTestBroker({ anchor: '2026-03-06', wallNow: timing.now })
  onTestFinished(() => broker.stop())
  const brokerage = brokerageAt(broker)
  return { broker, brokerage, it: await openSyncJournal({ brokerage, timing }) }
}
const exchanges = (broker: TestBroker): number => broker.traffic.seen().filter(({ path }) => path.endsWith('/oauthtoken')).length
const real: Brokerage = { hosts: productionHosts, application: { clientId: 'c', clientSecret: 's' }, redirectUri: 'http://127.0.0.1:1/oauth/callback' }
const tokens: TokenRecord = { access: 'tok-1', refresh: 'ref-1', accessExpiresAt: 2, obtainedAt: 1 }

/** Tokens in memory: the tests check which profile may store which. */
const memoryStore = (): TokenStore => {
  const values = new Map<string, string>()
  return createTokenStore({
    kind: 'file',
    get: (name) => Promise.resolve(values.get(name) ?? null),
    set: (name, value) => Promise.resolve(void values.set(name, value)),
    remove: (name) => Promise.resolve(void values.delete(name)),
  })
}

test('a connection saves login, tokens and every account of both environments as a finance of type Account', async () => {
  const { it } = await begin()
  const loginId = await it.connect('ben.keller')
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ id: loginId, name: 'ben.keller', status: 'ok' }])
  expect((await it.store.get(loginId)).kind).toBe('found')
  expect((await it.journal.read.finances({ userId: it.userId })).map(({ id, type, platform }) => [id, type, platform]).sort()).toEqual([
    ['tradovate:demo:700111', 'Account', 'Tradovate'],
    ['tradovate:live:700112', 'Account', 'Tradovate'],
  ])
})

test('the account call returns accounts with their fills', async () => {
  const { broker, it } = await begin()
  await it.connect(ava)
  await it.sync()
  it.timing.pass(broker.clock.now() - it.timing.now())
  const accounts = await it.connections.accounts(it.userId)
  expect(accounts.map(({ name }) => name).sort()).toEqual(['NGF-EVAL150K-104871', 'NGF-EVAL50K-104233', 'NGF-FUNDED50K-20918'])
  expect(accounts.flatMap(({ fills }) => fills).length).toBeGreaterThan(10)
  expect(accounts[0]?.fills[0]).toMatchObject({ platform: 'Tradovate', contractSymbol: expect.any(String) as string })
})

test('an OAuth state works once; an unknown, empty or expired one and another user are refused, and no code is sent', async () => {
  const { broker, brokerage, it } = await begin()
  const { code, state } = await consentTo(it.connections, it.userId, brokerage, ava)
  const refused = { ok: false, error: { code: 'unknown-state' } }
  expect(await it.connections.exchange(it.userId, { code, state: 'made-up' })).toEqual(refused)
  expect(await it.connections.exchange(it.userId, { code, state: '' })).toEqual(refused)
  expect(exchanges(broker)).toBe(0)
  expect(await it.connections.exchange(it.userId, { code, state })).toMatchObject({ ok: true })
  expect(await it.connections.exchange(it.userId, { code, state })).toEqual(refused)

  const foreign = await consentTo(it.connections, it.userId, brokerage, ava)
  expect(await it.connections.exchange('somebody', foreign)).toEqual(refused)
  const old = await consentTo(it.connections, it.userId, brokerage, ava)
  it.timing.pass(hour + 1)
  expect(await it.connections.exchange(it.userId, old)).toEqual(refused)
  expect(exchanges(broker)).toBe(1)
})

test('a used code is not sent again, whatever state comes with it', async () => {
  const { broker, brokerage, it } = await begin()
  broker.faults.set([{ kind: 'lost-answer', path: '/oauthtoken$', times: 1 }])
  const first = await consentTo(it.connections, it.userId, brokerage, ava)
  expect(await it.connections.exchange(it.userId, first)).toMatchObject({ ok: false, error: { code: 'answer-lost' } })
  const second = await consentTo(it.connections, it.userId, brokerage, ava)
  expect(await it.connections.exchange(it.userId, { code: first.code, state: second.state })).toMatchObject({ ok: false, error: { code: 'code-refused' } })
  expect(exchanges(broker)).toBe(1)
})

test('the return address is stored with the state, returned on every outcome, and deleted', { tags: 'long' }, async () => {
  const { broker, brokerage, it } = await begin()
  const begun = await it.connections.beginConsent(it.userId, { returnTo: 'tradecopier' })
  const state = begun.ok ? (new URL(begun.value.url).searchParams.get('state') ?? '') : ''
  expect(await it.connections.endConsent(it.userId, { state })).toEqual({ returnTo: 'tradecopier' })
  expect(await it.connections.endConsent(it.userId, { state })).toEqual({ returnTo: 'autosync' })
  expect(await it.connections.endConsent(it.userId, {})).toEqual({ returnTo: 'autosync' })

  broker.faults.set([{ kind: 'wrong-client', path: '/oauthtoken$', times: 1 }])
  const again = await it.connections.beginConsent(it.userId, { returnTo: 'tradecopier' })
  const failing = again.ok ? (new URL(again.value.url).searchParams.get('state') ?? '') : ''
  expect(await it.connections.exchange(it.userId, { code: 'anything', state: failing })).toMatchObject({ ok: false, error: { code: 'code-refused' } })
  expect(await it.connections.endConsent(it.userId, { state: failing })).toEqual({ returnTo: 'tradecopier' })
  expect(await it.connections.endConsent(it.userId, { state: failing })).toEqual({ returnTo: 'autosync' })
  expect(brokerage.redirectUri).toContain('/oauth/callback')
})

test('health: no login is lost while the broker is unreachable; a login refused twice is lost', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  await it.connect(ava)
  const fine = { needsReauth: false, expiredAccounts: [] }
  expect(await it.connections.tokenHealth(it.userId)).toEqual(fine)
  it.timing.pass(2 * hour)
  for (const kind of ['server-error', 'never-answers', 'html'] as const) {
    broker.faults.set([kind === 'server-error' ? { kind, status: 503 } : { kind }])
    expect(await it.connections.tokenHealth(it.userId), kind).toEqual(fine)
    it.timing.pass(hour)
  }
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ status: 'ok', lastError: null, refusedAt: null }])
  const restPauses = () => it.timing.pauses.filter((pause) => pause === 15_000).length
  broker.faults.set([{ kind: 'refuse-refresh', times: 1 }])
  expect(restPauses()).toBe(0)
  expect(await it.connections.tokenHealth(it.userId)).toEqual(fine)
  expect(restPauses()).toBe(1)

  broker.faults.set([{ kind: 'refuse-refresh', times: 2 }])
  it.timing.pass(2 * hour)
  const lost = await it.connections.tokenHealth(it.userId)
  expect(restPauses()).toBe(2)
  expect(lost).toMatchObject({ needsReauth: true })
  for (const { lastError } of lost.expiredAccounts) expect(lastError).toMatch(/\w/)
  expect(lost.expiredAccounts.map(({ accountId }) => accountId).sort()).toEqual(['tradovate:demo:700101', 'tradovate:demo:700102', 'tradovate:demo:700103'])
  for (const { accountId } of lost.expiredAccounts) await it.connections.removeAccount(it.userId, accountId)
  expect(await it.connections.tokenHealth(it.userId)).toEqual(fine)
  expect(await it.journal.read.finances({ userId: it.userId })).toEqual([])
})

test('health: if the broker refuses the application and not the login, no account counts as expired', { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  await it.connect(ava)
  it.timing.pass(2 * hour)
  broker.faults.set([{ kind: 'wrong-client' }])
  expect(await it.connections.tokenHealth(it.userId)).toEqual({ needsReauth: false, expiredAccounts: [] })
  expect((await it.sync()).troubles).toMatchObject([{ code: 'refused-by-broker', detail: expect.stringMatching(/^invalid_client/) as string }, { code: 'refused-by-broker' }])
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ status: 'ok' }])
  broker.faults.clear()
  expect((await it.sync()).outcome).toBe('complete')
})

test('health: missing tokens are no refusal, so no account counts as expired', { tags: 'long' }, async () => {
  const { it } = await begin()
  const loginId = await it.connect(ava)
  await it.store.remove(loginId)
  expect(await it.connections.tokenHealth(it.userId)).toEqual({ needsReauth: false, expiredAccounts: [] })
  expect(await it.journal.read.connectedAccounts({ userId: it.userId })).toHaveLength(3)
})

test('a connection interrupted before its tokens were saved leaves nothing behind', { tags: 'long' }, async () => {
  const { it } = await begin()
  await it.journal.write.saveLogin({ userId: it.userId, id: 'half', brokerUserId: '9001', name: ava, hosts: null, at: it.timing.now() })
  expect((await it.sync()).troubles).toMatchObject([{ code: 'login-needed', detail: 'no-tokens-kept' }])
  await it.connections.sweep(it.userId)
  expect(await it.journal.read.logins({ userId: it.userId })).toEqual([])
  await it.connect(ava)
  await it.connections.sweep(it.userId)
  expect(await it.journal.read.logins({ userId: it.userId })).toMatchObject([{ name: ava, status: 'ok' }])
})

test('without a brokerage no account can be connected', async () => {
  const { it } = await begin()
  const { journal, timing } = it
  const keeper = createTokenKeeper({ store: memoryStore(), journal, timing, brokerages: { demo: () => null, real: () => null } })
  expect(await keeper.brokerageOf(it.userId)).toBeNull()
  expect(await keeper.open({ userId: it.userId, loginId: 'x' })).toEqual({ kind: 'no-brokerage' })
})

test('a demo profile never stores a token of the real brokerage, nor any other profile one of the demo brokerage', async () => {
  const { brokerage: standIn, it } = await begin()
  const { journal, timing } = it
  await journal.write.createProfile({ id: 'demo', email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: 0 })
  const store = memoryStore()
  const keeper = createTokenKeeper({ store, journal, timing, brokerages: { demo: () => standIn, real: () => real } })
  expect(await keeper.brokerageOf('demo')).toBe(standIn)
  expect(await keeper.brokerageOf(it.userId)).toBe(real)

  const demoLogin = { userId: 'demo', loginId: 'd' }
  const realLogin = { userId: it.userId, loginId: 'r' }
  await expect(keeper.keep(demoLogin, real.hosts, tokens)).rejects.toThrow('another brokerage')
  await expect(keeper.keep(realLogin, standIn.hosts, tokens)).rejects.toThrow('another brokerage')
  await expect(keeper.keep(realLogin, { ...real.hosts, demo: standIn.hosts.demo }, tokens)).rejects.toThrow('another brokerage')
  expect([(await store.get('d')).kind, (await store.get('r')).kind]).toEqual(['none', 'none'])
  await keeper.keep(demoLogin, standIn.hosts, tokens)
  await keeper.keep(realLogin, real.hosts, tokens)
  expect([(await store.get('d')).kind, (await store.get('r')).kind]).toEqual(['found', 'found'])

  const confused = createTokenKeeper({ store: memoryStore(), journal, timing, brokerages: { demo: () => standIn, real: () => standIn } })
  await expect(confused.keep(realLogin, standIn.hosts, tokens)).rejects.toThrow('another brokerage')
})

test('renewed tokens do not overwrite those of a new consent', { tags: 'long' }, async () => {
  const { it } = await begin()
  const loginId = await it.connect(ava)
  const kept = await it.store.get(loginId)
  const login = { userId: it.userId, loginId }
  await it.keeper.replace(login, 'tok-of-an-old-consent', tokens)
  expect(await it.store.get(loginId)).toEqual(kept)
  await it.keeper.replace(login, kept.kind === 'found' ? kept.tokens.access : '', tokens)
  expect(await it.store.get(loginId)).toMatchObject({ tokens })
})

test("two refreshes of one login run one after the other, and the second gets the first's tokens: the old one is dead by then", { tags: 'long' }, async () => {
  const { broker, it } = await begin()
  const loginId = await it.connect(ava)
  const kept = await it.store.get(loginId)
  const refresh = (kept.kind === 'found' && kept.tokens.refresh) || ''
  broker.faults.set([{ kind: 'slow', ms: 80, path: '/oauthtoken$', times: 1 }])
  const login = { userId: it.userId, loginId }
  const [first, second] = await Promise.all([it.keeper.refresh(login, refresh), it.keeper.refresh(login, refresh)])
  expect(first.kind).toBe('renewed')
  expect(second).toEqual(first)
})
