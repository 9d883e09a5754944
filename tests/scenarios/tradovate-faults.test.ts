/** @module-tag long */

import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker } from '#tests/demo-broker/broker.ts'
import type { Fault, FaultKind, TradingFaultKind } from '#tests/demo-broker/faults.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'
import { createAsk } from '#backend/brokers/tradovate/ask.ts'
import { openLogin } from '#backend/brokers/tradovate/login.ts'
import { mapSession } from '#backend/brokers/tradovate/mapping.ts'
import { exchangeCode, refreshTokens, type OauthSetup } from '#backend/brokers/tradovate/oauth.ts'
import { createReads } from '#backend/brokers/tradovate/reads.ts'
import { requestReport, type ReportName } from '#backend/brokers/tradovate/reports.ts'
import type { Tokens } from '#backend/brokers/tradovate/tokens.ts'
import type { WireFill } from '#backend/brokers/tradovate/wire.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

const signal = new AbortController().signal
const redirectUri = 'http://127.0.0.1:4000/oauth/callback'
const trader = 'ava.morgan'
const timeoutMs = 400
const hour = 3_600_000

/** The test's own brokerage, with tokens and penalties on a clock that only sleeping advances. */
const openBroker = async () => {
  const timing = testTiming()
  const broker = await startTestBroker({ anchor: '2026-03-02', wallNow: timing.now })
  onTestFinished(broker.stop)
  const { consentUrl, tokenUrls, liveApi, demoApi, reports } = broker.origins
  const setup: OauthSetup = {
    ask: createAsk(timing, timeoutMs),
    timing,
    hosts: { authorize: consentUrl, token: tokenUrls, live: liveApi, demo: demoApi, reports },
    credentials: { clientId: broker.clientId, clientSecret: broker.clientSecret },
  }

  const consent = async () => {
    const back = await giveConsent({ consentUrl, clientId: broker.clientId, redirectUri, state: 'state-1', login: trader, decision: 'allow' })
    return { code: back.searchParams.get('code') ?? '', redirectUri }
  }

  const connect = async () => {
    const outcome = await exchangeCode(setup, await consent())
    if (outcome.kind !== 'connected') throw new Error(outcome.kind)
    const saved: Tokens[] = []
    const login = openLogin({
      tokens: outcome.tokens,
      hosts: setup.hosts,
      timing,
      timeoutMs,
      refresh: (token) => refreshTokens(setup, token),
      saveTokens: (tokens) => Promise.resolve(void saved.push(tokens)),
    })
    return { login, saved, tokens: outcome.tokens, demo: createReads(login, 'demo'), live: createReads(login, 'live') }
  }

  const asked = (end: string): number => broker.traffic.seen().filter(({ path }) => path.endsWith(end)).length
  return { broker, timing, setup, consent, connect, asked, strike: (...faults: Fault[]) => { broker.faults.set(faults) } }
}

type Stage = Awaited<ReturnType<typeof openBroker>>

const path = '/fill/list$'
const minutes = (count: number): number => count * 60_000

const recovers = (fault: Fault) => async ({ connect, strike, asked }: Stage): Promise<void> => {
  const { demo } = await connect()
  strike(fault)
  const fills = await demo.fills(signal)
  expect(fills.ok && fills.value.rows.length).toBeGreaterThan(10)
  expect(asked('/fill/list')).toBe(2)
}

const fails = (fault: Fault, error: object) => async ({ connect, strike }: Stage): Promise<void> => {
  const { demo } = await connect()
  strike(fault)
  expect(await demo.fills(signal)).toMatchObject({ ok: false, error })
  expect(await demo.accounts(signal)).toMatchObject({ ok: true })
}

/** The fills of `from` on are refused, and `other` of two days is given. */
const gives = (fault: Fault, other: ReportName, from: string, kind: string) => async ({ broker, connect, strike }: Stage): Promise<void> => {
  // Its past takes longer to be made than this clock waits for an answer.
  await broker.archive()
  const { login } = await connect()
  strike(fault)
  const report = { environment: 'demo', account: 'NGF-EVAL50K-104233', from: '2026-02-26', to: '2026-02-27' } as const
  expect(await requestReport(login, { ...report, name: 'Fills', from }, signal)).toMatchObject({ ok: false, error: { kind } })
  expect(await requestReport(login, { ...report, name: other }, signal)).toMatchObject({ ok: true })
}

/** At least one test for every switch that breaks reads: a new switch without one does not compile. Missing or wrong rows are tested with the sync. */
const stories: Record<Exclude<FaultKind, TradingFaultKind | 'missing-rows' | 'changed-rows'>, Record<string, (stage: Stage) => Promise<void>>> = {
  'refuse-refresh': {
    'once: the second try after a pause gets the tokens': async ({ broker, timing, connect, strike }) => {
      const { login, demo, saved } = await connect()
      broker.sessions.killAccess(trader)
      strike({ kind: 'refuse-refresh', times: 1 })
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(timing.pauses).toEqual([15_000])
      expect(saved).toHaveLength(1)
      expect(await login.renewIfDue()).toBeNull()
    },
    'always: the user must connect again': async ({ broker, connect, strike, asked }) => {
      const { demo, saved } = await connect()
      broker.sessions.killAccess(trader)
      broker.traffic.clear()
      strike({ kind: 'refuse-refresh' })
      expect(await demo.fills(signal)).toMatchObject({ ok: false, error: { kind: 'login-needed', lastError: expect.stringContaining('invalid_token') as string } })
      expect(asked('/auth/oauthtoken')).toBe(2)
      expect(saved).toEqual([])
    },
  },
  'no-refresh-token': {
    'the login lasts by renewing in time': async ({ timing, connect, strike }) => {
      strike({ kind: 'no-refresh-token' })
      const { demo, tokens, saved } = await connect()
      expect(tokens.refresh).toBeUndefined()
      timing.pass(minutes(70))
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(saved).toHaveLength(1)
    },
  },
  'short-lived': {
    'a one-minute token is renewed before it expires, not at every call': async ({ timing, connect, strike, asked }) => {
      strike({ kind: 'short-lived', seconds: 60 })
      const { demo, tokens } = await connect()
      expect(tokens.accessExpiresAt - timing.now()).toBe(60_000)
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(asked('/auth/renewaccesstoken')).toBe(0)
      timing.pass(50_000)
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(asked('/auth/renewaccesstoken')).toBe(1)
    },
  },
  'wrong-client': {
    'the refusal is reported with its code': async ({ setup, consent, strike }) => {
      strike({ kind: 'wrong-client' })
      expect(await exchangeCode(setup, await consent())).toMatchObject({ kind: 'refused', lastError: expect.stringMatching(/^invalid_client/) as string })
    },
  },
  penalty: {
    'a read waits and is resent with its ticket': async ({ timing, connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'penalty', seconds: 4, path })
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(timing.pauses).toEqual([4_000])
    },
    'so does the code exchange: the code was not used': async ({ setup, consent, strike }) => {
      strike({ kind: 'penalty', seconds: 4 })
      expect(await exchangeCode(setup, await consent())).toMatchObject({ kind: 'connected' })
    },
    'endless penalties are reported': fails({ kind: 'penalty', seconds: 300, path }, { kind: 'penalty', waitMs: 300_000 }),
  },
  captcha: {
    'nothing is sent for an hour': async ({ timing, connect, strike, broker }) => {
      const { demo } = await connect()
      strike({ kind: 'captcha', path, times: 1 })
      expect(await demo.fills(signal)).toEqual({ ok: false, error: { kind: 'captcha', waitMs: hour } })
      broker.traffic.clear()
      expect(await demo.accounts(signal)).toMatchObject({ ok: false, error: { kind: 'captcha' } })
      expect(broker.traffic.seen()).toEqual([])
      timing.pass(hour)
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
    },
  },
  'rate-limited': {
    'of one path': fails({ kind: 'rate-limited', path }, { kind: 'rate-limited', waitMs: hour }),
    'of every path: the session stays open': async ({ connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'rate-limited' })
      expect(await demo.fills(signal)).toEqual({ ok: false, error: { kind: 'rate-limited', waitMs: hour } })
    },
  },
  'token-dead': {
    'in the middle of a session: renewed once, then read': async ({ connect, strike }) => {
      const { demo, saved } = await connect()
      strike({ kind: 'token-dead', path, times: 1 })
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(saved).toHaveLength(1)
    },
  },
  'permission-missing': {
    'of one entity is no error for the others': fails({ kind: 'permission-missing', path }, { kind: 'permission-missing' }),
    'of the whole live environment is none for the demo one': async ({ connect, strike, asked }) => {
      const { demo, live } = await connect()
      strike({ kind: 'permission-missing', path: '^/live/v1/(?!auth/)' })
      expect(await live.accounts(signal)).toEqual({ ok: false, error: { kind: 'permission-missing' } })
      expect(await demo.accounts(signal)).toMatchObject({ ok: true })
      await live.accounts(signal)
      expect(asked('/auth/renewaccesstoken')).toBe(1)
    },
  },
  'pushed-out': Object.fromEntries(
    ([408, 429, 500] as const).map((status) => [
      `with ${String(status)}: reported as pushed out, no fight for the session, and reopened on demand`,
      async ({ connect, strike, asked }: Stage) => {
        const { login, demo } = await connect()
        strike({ kind: 'pushed-out', status, path: '^/demo/', times: 1 })
        expect(await demo.fills(signal)).toEqual({ ok: false, error: { kind: 'session-pushed-out' } })
        expect(asked('/auth/oauthtoken')).toBe(1)
        expect(await login.reopen()).toMatchObject({ kind: 'renewed' })
        expect(await demo.fills(signal)).toMatchObject({ ok: true })
      },
    ]),
  ),
  'server-error': {
    'once: retried': recovers({ kind: 'server-error', status: 503, path, times: 1 }),
    'always: reported after four tries': fails({ kind: 'server-error', status: 500, path }, { kind: 'unreachable', cause: 'server', status: 500 }),
    'at the renewal: never expires a login': async ({ broker, connect, strike }) => {
      const { demo } = await connect()
      broker.sessions.killAccess(trader)
      strike({ kind: 'server-error', status: 500, path: '/auth/' })
      expect(await demo.fills(signal)).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    },
    'at the code exchange: the code may be used up': async ({ setup, consent, strike, asked }) => {
      strike({ kind: 'server-error', status: 502 })
      expect(await exchangeCode(setup, await consent())).toEqual({ kind: 'answer-lost' })
      expect(asked('/auth/oauthtoken')).toBe(1)
    },
  },
  'never-answers': {
    'once: retried after the timeout': recovers({ kind: 'never-answers', path, times: 1 }),
    'at the renewal: never expires a login': async ({ broker, connect, strike }) => {
      const { demo } = await connect()
      broker.sessions.killAccess(trader)
      strike({ kind: 'never-answers', path: '/auth/' })
      expect(await demo.fills(signal)).toMatchObject({ ok: false, error: { kind: 'unreachable', cause: 'timeout' } })
    },
  },
  slow: {
    'an answer within the timeout counts': async ({ connect, strike, asked }) => {
      const { demo } = await connect()
      strike({ kind: 'slow', ms: 100, path })
      expect(await demo.fills(signal)).toMatchObject({ ok: true })
      expect(asked('/fill/list')).toBe(1)
    },
  },
  'lost-answer': {
    'of a read: retried': recovers({ kind: 'lost-answer', path, times: 1 }),
    'of the code exchange: the used code is not sent again': async ({ setup, consent, strike, asked, broker }) => {
      strike({ kind: 'lost-answer', times: 1 })
      expect(await exchangeCode(setup, await consent())).toEqual({ kind: 'answer-lost' })
      expect(asked('/auth/oauthtoken')).toBe(1)
      expect(broker.sessions.open(trader)).toBe(1)
    },
    'of a refresh: unreachable now, and the broker decides on the next try': async ({ broker, connect, strike }) => {
      const { demo } = await connect()
      broker.sessions.killAccess(trader)
      strike({ kind: 'lost-answer', path: '/auth/oauthtoken', times: 1 })
      expect(await demo.fills(signal)).toMatchObject({ ok: false, error: { kind: 'unreachable', cause: 'network' } })
      expect(await demo.fills(signal)).toMatchObject({ ok: false, error: { kind: 'login-needed' } })
    },
  },
  'truncated-json': {
    'once: retried': recovers({ kind: 'truncated-json', path, times: 1 }),
    'always: reported as unreadable': fails({ kind: 'truncated-json', path }, { kind: 'unreadable-answer' }),
  },
  html: {
    'once: retried': recovers({ kind: 'html', path, times: 1 }),
    'always: reported as unreadable': fails({ kind: 'html', path }, { kind: 'unreadable-answer' }),
  },
  'empty-list': {
    'a session that has just begun has no fills': async ({ connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'empty-list', path })
      expect(await demo.fills(signal)).toEqual({ ok: true, value: { rows: [], refused: [] } })
    },
    'fees missing in the list are requested by their fills': async ({ connect, strike }) => {
      const { demo } = await connect()
      const fills = await demo.fills(signal)
      const ids = fills.ok ? fills.value.rows.map(({ id }) => id) : []
      const before = await demo.feeList(signal)
      strike({ kind: 'empty-list', path: '/fillFee/list$' })
      const after = await demo.feesOf(ids, signal)
      expect(before.ok && before.value?.rows.length).toBeGreaterThan(10)
      const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id
      expect(after.ok && [...after.value.rows].sort(byId)).toEqual(before.ok && [...(before.value?.rows ?? [])].sort(byId))
    },
    'orders missing in the list are requested by id': async ({ connect, strike }) => {
      const { demo } = await connect()
      const fills = await demo.fills(signal)
      const ids = new Set(fills.ok ? fills.value.rows.map(({ orderId }) => orderId) : [])
      strike({ kind: 'empty-list', path: '/order/list$' })
      const orders = await demo.orders(ids, signal)
      expect(orders.ok && new Set(orders.value.rows.map(({ id }) => id))).toEqual(ids)
    },
  },
  'accounts-need-user-id': {
    'the request names the user id': async ({ broker, connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'accounts-need-user-id' })
      const accounts = await demo.accounts(signal)
      const own = broker.logins.find(({ name }) => name === trader)?.accounts.filter(({ environment }) => environment === 'demo') ?? []
      expect(accounts.ok && accounts.value.rows.map(({ name }) => name).sort()).toEqual(own.map(({ name }) => name).sort())
    },
  },
  'moved-host': {
    'the renewal names the new host, and the token goes nowhere else': async ({ connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'moved-host', path: '^/demo/v1/(?!auth/)' })
      const fills = await demo.fills(signal)
      expect(fills.ok && fills.value.rows.length).toBeGreaterThan(10)
    },
    'a renewal that is sent elsewhere too is reported as a wrong host': async ({ connect, strike }) => {
      const { demo } = await connect()
      strike({ kind: 'moved-host' })
      expect(await demo.fills(signal)).toEqual({ ok: false, error: { kind: 'wrong-host' } })
    },
  },
  'shorter-items': {
    'missing items are requested one by one': async ({ connect, strike }) => {
      const { demo } = await connect()
      const fills = await demo.fills(signal)
      const ids = [...new Set(fills.ok ? fills.value.rows.map(({ contractId }) => contractId) : [])]
      strike({ kind: 'shorter-items' })
      const contracts = await demo.contracts(ids, signal)
      expect(contracts).toMatchObject({ ok: true, value: { missing: [], refused: [] } })
      expect(contracts.ok && contracts.value.rows.map(({ id }) => id).sort()).toEqual([...ids].sort())
    },
  },
  'unknown-fields': {
    'unknown fields are ignored': async ({ connect, strike }) => {
      const { demo } = await connect()
      const before = await demo.fills(signal)
      strike({ kind: 'unknown-fields' })
      expect(await demo.fills(signal)).toEqual(before)
    },
  },
  'malformed-row': {
    'one row is refused by name, the others are read': async ({ connect, strike }) => {
      const { demo } = await connect()
      const whole = await demo.fills(signal)
      strike({ kind: 'malformed-row', field: 'price', path })
      const damaged = await demo.fills(signal)
      if (!whole.ok || !damaged.ok) throw new Error('not read')
      const [refused] = damaged.value.refused
      expect(damaged.value.refused).toEqual([{ entity: 'fill', id: expect.stringMatching(/^\d+$/) as string, reason: 'unreadable', field: 'price' }])
      expect(damaged.value.rows).toEqual(whole.value.rows.filter(({ id }) => String(id) !== refused?.id))
    },
  },
  'report-refused': { 'other reports are given all the same': gives({ kind: 'report-refused', name: 'Fills' }, 'Orders', '2026-02-26', 'not-given') },
  'report-days': { 'fewer days are given': gives({ kind: 'report-days', days: 2 }, 'Fills', '2026-02-23', 'too-long-range') },
  'error-text': {
    'a refusal inside a 200 is not read as an empty list': fails({ kind: 'error-text', text: 'Something is not right', path }, { kind: 'refused-by-broker', detail: 'Something is not right' }),
  },
}

for (const [kind, tellings] of Object.entries(stories)) {
  for (const [telling, story] of Object.entries(tellings)) {
    test(`${kind}: ${telling}`, async () => story(await openBroker()))
  }
}

test('a normal session is read completely: every fill with its account, contract, price and fee', async () => {
  const { connect } = await openBroker()
  const { demo } = await connect()
  const fills = await demo.fills(signal)
  if (!fills.ok) throw new Error(fills.error.kind)
  const ids = <T>(pick: (row: WireFill) => T): T[] => [...new Set(fills.value.rows.map(pick))]
  const orders = await demo.orders(ids(({ orderId }) => orderId), signal)
  const fees = await demo.feeList(signal)
  const contracts = await demo.contracts(ids(({ contractId }) => contractId), signal)
  const maturities = await demo.maturities(contracts.ok ? contracts.value.rows.map((row) => row.contractMaturityId) : [], signal)
  const products = await demo.products(maturities.ok ? maturities.value.rows.map((row) => row.productId) : [], signal)
  const currencies = await demo.currencies(signal)
  const accounts = await demo.accounts(signal)
  if (!orders.ok || !fees.ok || !contracts.ok || !maturities.ok || !products.ok || !currencies.ok || !accounts.ok) throw new Error('not read')
  const mapped = mapSession({
    environment: 'demo',
    fills: fills.value.rows,
    orders: orders.value.rows,
    fees: fees.value?.rows ?? [],
    contracts: contracts.value.rows,
    maturities: maturities.value.rows,
    products: products.value.rows,
    currencies: currencies.value.rows,
  })
  expect(mapped.refused).toEqual([])
  expect(mapped.fills).toHaveLength(fills.value.rows.length)
  expect(mapped.fills.every(({ fee }) => fee !== null && fee > 0)).toBe(true)
  expect(mapped.specs.every(({ source }) => source === 'broker')).toBe(true)
  const known = new Set<string>(accounts.value.rows.map(({ id }) => `tradovate:demo:${String(id)}`))
  expect(mapped.fills.every(({ account }) => known.has(account))).toBe(true)
})

test('the next session starts empty, and orders of the last one are unknown', async () => {
  const { broker, connect } = await openBroker()
  const { demo } = await connect()
  const fills = await demo.fills(signal)
  const orderId = fills.ok ? fills.value.rows[0]?.orderId : undefined
  if (orderId === undefined) throw new Error('no fill')
  broker.clock.set((broker.walk.at(-1)?.at ?? 0) + 24 * hour)
  expect(await demo.fills(signal)).toEqual({ ok: true, value: { rows: [], refused: [] } })
  expect(await demo.orders([orderId], signal)).toMatchObject({ ok: true, value: { rows: [], missing: [orderId] } })
})

test('a second login of the same user closes the oldest of three sessions', async () => {
  const { connect } = await openBroker()
  const [first, , third] = [await connect(), await connect(), await connect()]
  expect(await first.demo.fills(signal)).toEqual({ ok: false, error: { kind: 'session-pushed-out' } })
  expect(await third.demo.fills(signal)).toMatchObject({ ok: true })
})
