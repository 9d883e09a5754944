import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { openLogin } from './login.ts'
import { requestReport, type ReportName } from './reports.ts'

const signal = new AbortController().signal
const path = '/demo/rpt/v1/reports/requestReport'

/** A port of this computer on which nobody listens. */
const nobody = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${String(port)}`
}

const setUp = async (answer: (seen: Seen) => Served, reportHost?: string | null) => {
  const { url, seen } = await serveLoopback(answer)
  const timing = testTiming()
  const login = openLogin({
    tokens: { access: 'tok-0', accessExpiresAt: timing.now() + 4_800_000, obtainedAt: timing.now() },
    hosts: { authorize: url, token: [url, url], live: `${url}/live/v1`, demo: `${url}/demo/v1`, ...(reportHost === null ? {} : { reports: { demo: `${reportHost ?? url}/demo/rpt/v1` } }) },
    timing,
    timeoutMs: 500,
    refresh: () => Promise.resolve({ kind: 'refused', lastError: 'invalid_token' }),
    saveTokens: () => Promise.resolve(),
  })
  const ask = (name: ReportName = 'Fills') => requestReport(login, { environment: 'demo', name, account: 'EVAL 1', from: '2026-06-09', to: '2026-08-07' }, signal)
  return { seen, ask, timing }
}

test('a report is asked for by name, account and American dates, in UTC, and its text comes back', async () => {
  const { seen, ask } = await setUp(() => ({ json: { data: 'a,b\r\n1,2\r\n' } }))
  expect(await ask('Cash History')).toEqual({ ok: true, value: 'a,b\r\n1,2\r\n' })
  expect(seen).toMatchObject([
    {
      method: 'POST', url: path, bearer: 'tok-0',
      fields: {
        name: 'Cash History', representationType: 'csv', timezone: 0,
        params: [{ name: 'startDate', value: '6/9/2026' }, { name: 'endDate', value: '8/7/2026' }, { name: 'account', value: 'EVAL 1' }],
      },
    },
  ])
})

test.each<[string, Served, unknown]>([
  ['no such path', { status: 404 }, { kind: 'not-given', detail: null }],
  ['a name that it does not know', { json: { errorText: 'Report not found' } }, { kind: 'not-given', detail: 'Report not found' }],
  ['too many days', { json: { errorText: 'Too long range' } }, { kind: 'too-long-range' }],
  ['too many days, as a bad request', { status: 400, text: 'Too long range' }, { kind: 'too-long-range' }],
  ['no report in the answer', { json: { rows: [] } }, { kind: 'unreadable-answer' }],
  ['a broker in trouble', { status: 503 }, { kind: 'unreachable', cause: 'server', status: 503 }],
  ['a rate limit', { status: 429, headers: { 'retry-after': '7' } }, { kind: 'rate-limited', waitMs: 7_000 }],
])('%s', async (_, served, error) => {
  const { ask } = await setUp(() => served)
  expect(await ask()).toEqual({ ok: false, error })
})

test('denied access with a valid token ends no login, and of one report says nothing about another', async () => {
  let renewals = 0
  const { ask } = await setUp(({ path: asked, fields, bearer }) => {
    if (asked.endsWith('/auth/renewaccesstoken')) return { json: { accessToken: `tok-${String((renewals += 1))}` } }
    // The second token dies before the orders are asked for.
    return fields['name'] === 'Orders' && bearer === 'tok-2' ? { json: { data: 'text' } } : { status: 401, text: 'Access is denied' }
  })
  expect(await ask()).toEqual({ ok: false, error: { kind: 'not-given', detail: null } })
  expect(await ask('Orders')).toEqual({ ok: true, value: 'text' })
  // What was denied for good costs no renewal any more.
  expect(await ask()).toEqual({ ok: false, error: { kind: 'not-given', detail: null } })
  expect(renewals).toBe(2)
})

test('a token that the service calls expired is renewed', async () => {
  const { seen, ask } = await setUp(({ path: asked, bearer }) => {
    if (asked.endsWith('/auth/renewaccesstoken')) return { json: { accessToken: 'tok-1' } }
    return bearer === 'tok-0' ? { json: { errorText: 'Expired Access Token' } } : { json: { data: 'text' } }
  })
  expect(await ask()).toEqual({ ok: true, value: 'text' })
  expect(seen.map(({ bearer }) => bearer)).toEqual(['tok-0', 'tok-0', 'tok-1'])
})

test('a ticket of penalty is waited out and sent along', async () => {
  let first = true
  const { seen, ask, timing } = await setUp(() => {
    if (!first) return { json: { data: 'text' } }
    first = false
    return { json: { 'p-ticket': 'T1', 'p-time': 3 } }
  })
  expect(await ask()).toEqual({ ok: true, value: 'text' })
  expect(seen[1]?.fields['p-ticket']).toBe('T1')
  expect(timing.pauses).toEqual([3_000])
})

test('a host that is not there gives no history where the broker itself answers, and is passing trouble where nobody does', async () => {
  const host = await nobody()
  const { ask } = await setUp(() => ({ json: [] }), host)
  expect(await ask()).toEqual({ ok: false, error: { kind: 'not-given', detail: null } })
  const alone = await setUp(() => 'cut', host)
  expect(await alone.ask()).toEqual({ ok: false, error: { kind: 'unreachable', cause: 'network', status: null } })
})

test('a broker without the service is asked for nothing', async () => {
  const { ask, seen } = await setUp(() => ({ json: [] }), null)
  expect(await ask()).toEqual({ ok: false, error: { kind: 'not-given', detail: null } })
  expect(seen).toEqual([])
})
