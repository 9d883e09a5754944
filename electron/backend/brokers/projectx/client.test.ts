import { expect, test } from 'vitest'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createProjectxClient, journalCalls } from './client.ts'

const never = new AbortController().signal
const done = (payload: object): Served => ({ json: { success: true, errorCode: 0, errorMessage: null, ...payload } })
const trade = { id: 8_604, accountId: 203, contractId: 'CON.F.US.EP.H25', creationTimestamp: '2025-01-21T16:13:52.523293+00:00', price: 6_065.25, profitAndLoss: 50, fees: 1.4, side: 1, size: 1, voided: false, orderId: 14_328 }

const clientOf = async (answer: (seen: Seen) => Served) => {
  const { url, seen } = await serveLoopback((request) => (request.path === '/api/Auth/loginKey' ? done({ token: 'secret-token' }) : answer(request)))
  const timing = testTiming()
  return { seen, timing, client: createProjectxClient({ api: url, key: { userName: 'ann', apiKey: 'secret-key' }, timing, timeoutMs: 1_000 }) }
}
const tradesOf = (client: Awaited<ReturnType<typeof clientOf>>['client']) => client.trades('203', { from: Date.UTC(2025, 0, 21), to: null }, never)

test('the journal can make eight calls, and none of them places, changes, or cancels an order', () => {
  expect(journalCalls).toEqual(['/api/Auth/loginKey', '/api/Auth/validate', '/api/Account/search', '/api/Trade/search', '/api/Position/searchOpen', '/api/Order/searchOpen', '/api/Contract/searchById', '/api/History/retrieveBars'])
  expect(journalCalls.filter((call) => !/\/(loginKey|validate|search|searchOpen|searchById|retrieveBars)$/.test(call))).toEqual([])
})

test('a trade of the documentation is read with its moment, and one with a wrong field is refused by name', async () => {
  const { client, seen } = await clientOf(() => done({ trades: [trade, { ...trade, id: 9_007_199_254_740_993n.toString() }, { ...trade, size: 0 }] }))
  expect(await tradesOf(client)).toEqual({
    ok: true,
    value: {
      rows: [{ ...trade, creationTimestamp: Date.UTC(2025, 0, 21, 16, 13, 52, 523) }],
      refused: [
        { entity: 'fill', id: '9007199254740993', reason: 'unreadable', field: 'id' },
        { entity: 'fill', id: '8604', reason: 'unreadable', field: 'size' },
      ],
    },
  })
  expect(seen.at(-1)).toMatchObject({ method: 'POST', bearer: 'secret-token', fields: { accountId: 203, startTimestamp: '2025-01-21T00:00:00.000Z' } })
  expect(seen.at(-1)?.fields).not.toHaveProperty('endTimestamp')
})

test('failures of the business inside of an answer are read per call', async () => {
  const unknown = await clientOf(() => ({ json: { success: false, errorCode: 1, errorMessage: 'no such secret-key' } }))
  expect(await tradesOf(unknown.client)).toEqual({ ok: false, error: { kind: 'not-found' } })
  expect(await unknown.client.contract('CON.F.US.EP.H25', never)).toEqual({ ok: true, value: null })
  // The search of accounts has no such number, and what it says is shown without the key.
  expect(await unknown.client.accounts()).toEqual({ ok: false, error: { kind: 'refused-by-broker', detail: 'no such …' } })
})

test.each([
  [{ status: 500, text: '' }, { kind: 'unreachable', cause: 'server', status: 500 }, 4],
  [{ status: 403, text: '' }, { kind: 'permission-missing' }, 1],
  [{ status: 401, text: '' }, { kind: 'permission-missing' }, 2],
  [{ status: 302, headers: { location: 'http://127.0.0.1:9/' }, text: '' }, { kind: 'wrong-host' }, 1],
  [{ status: 400, text: '' }, { kind: 'refused-by-broker', detail: 'http-400' }, 1],
  [{ text: '<html>' }, { kind: 'unreadable-answer' }, 4],
  [{ json: { success: true, errorCode: 0 } }, { kind: 'unreadable-answer' }, 1],
  [{ json: [] }, { kind: 'unreadable-answer' }, 1],
] as const)('answer %j is %j', async (served, failure, asked) => {
  const { client, seen } = await clientOf(() => served)
  expect(await tradesOf(client)).toEqual({ ok: false, error: failure })
  expect(seen.filter(({ path }) => path === '/api/Trade/search')).toHaveLength(asked)
})

test('calls that come together log in once, and an answer about another contract is not taken', async () => {
  const { client, seen } = await clientOf(() => done({ contract: { id: 'CON.F.US.MES.H25', name: 'MESH5', tickSize: 0.25, tickValue: 1.25 } }))
  const answers = await Promise.all([client.contract('CON.F.US.MES.H25', never), client.contract('CON.F.US.EP.H25', never)])
  expect(answers).toMatchObject([{ ok: true, value: { name: 'MESH5' } }, { ok: false, error: { kind: 'unreadable-answer' } }])
  expect(seen.filter(({ path }) => path === '/api/Auth/loginKey')).toHaveLength(1)
})

test('a login that is out of reach for a while does not end a token that lives', async () => {
  let logins = 0
  const { url } = await serveLoopback(({ path }) => {
    if (path === '/api/Auth/validate') return { json: { success: false, errorCode: 4, errorMessage: null } }
    if (path === '/api/Auth/loginKey') return (logins += 1) > 1 ? { status: 503, text: '' } : done({ token: 'first' })
    return done({ trades: [] })
  })
  const timing = testTiming()
  const client = createProjectxClient({ api: url, key: { userName: 'ann', apiKey: 'secret-key' }, timing })
  expect(await tradesOf(client)).toMatchObject({ ok: true })
  timing.pass(21 * 3_600_000)
  expect(await tradesOf(client)).toMatchObject({ ok: true })
  timing.pass(4 * 3_600_000)
  expect(await tradesOf(client)).toEqual({ ok: false, error: { kind: 'unreachable', cause: 'server', status: 503 } })
})
