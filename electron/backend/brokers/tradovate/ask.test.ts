// @module-tag slow
import { expect, test } from 'vitest'
import { serveLoopback, type Served } from '#tests/helpers/loopback.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { createAsk } from './ask.ts'

const setUp = async (answers: Served[], timeoutMs = 2_000) => {
  const left = [...answers]
  const server = await serveLoopback(() => left.shift() ?? { json: 'done' })
  const timing = testTiming()
  return { ...server, timing, ask: createAsk(timing, timeoutMs) }
}

const ticket = (seconds: number): Served => ({ json: { 'p-ticket': 'ticket-1', 'p-time': seconds } })
const repeatable = { repeatable: true }

test('a penalty ticket is waited out and resent in the body of the same request', async () => {
  const { ask, url, seen, timing } = await setUp([ticket(3)])
  expect(await ask({ url: `${url}/fill/list?a=1`, bearer: 'tok' }, { repeatable: false })).toEqual({ kind: 'good', value: 'done' })
  expect(timing.pauses).toEqual([3_000])
  expect(seen.map(({ url: asked, bearer, fields }) => ({ asked, bearer, fields }))).toEqual([
    { asked: '/fill/list?a=1', bearer: 'tok', fields: {} },
    { asked: '/fill/list?a=1', bearer: 'tok', fields: { 'p-ticket': 'ticket-1' } },
  ])
})

test('form and JSON bodies keep their fields next to the ticket', async () => {
  const { ask, url, seen } = await setUp([ticket(1), { json: 'done' }, ticket(1)])
  await ask({ url, form: { grant_type: 'x' } }, { repeatable: false })
  await ask({ url, json: { accountId: 1 } }, repeatable)
  expect(seen[1]?.fields).toEqual({ grant_type: 'x', 'p-ticket': 'ticket-1' })
  expect(seen[3]?.fields).toEqual({ accountId: 1, 'p-ticket': 'ticket-1' })
})

test('endless tickets, or one with too long a wait, end as a penalty', async () => {
  const endless = await setUp(Array.from({ length: 9 }, () => ticket(1)))
  expect(await endless.ask({ url: endless.url }, repeatable)).toMatchObject({ failure: { kind: 'penalty', waitMs: 1_000 } })
  expect(endless.seen).toHaveLength(4)
  const long = await setUp([ticket(600)])
  expect(await long.ask({ url: long.url }, repeatable)).toMatchObject({ failure: { kind: 'penalty', waitMs: 600_000 } })
  expect(long.timing.pauses).toEqual([])
})

test('a captcha blocks all requests for an hour', async () => {
  const { ask, url, seen, timing } = await setUp([{ json: { 'p-ticket': 't', 'p-time': 5, 'p-captcha': true } }])
  expect(await ask({ url }, repeatable)).toMatchObject({ failure: { kind: 'captcha', waitMs: 3_600_000 } })
  timing.pass(3_599_000)
  expect(await ask({ url }, repeatable)).toMatchObject({ failure: { kind: 'captcha', waitMs: 1_000 } })
  expect(seen).toHaveLength(1)
  timing.pass(1_000)
  expect(await ask({ url }, repeatable)).toEqual({ kind: 'good', value: 'done' })
})

test.each<[string, Served]>([
  ['a 503', { status: 503 }],
  ['a cut line', 'cut'],
  ['silence', 'silence'],
  ['a page of HTML', { text: '<h1>Back soon</h1>' }],
])('%s passes: a read is asked again, with growing pauses', async (_, trouble) => {
  const { ask, url, seen, timing } = await setUp([trouble, trouble, trouble], 300)
  expect(await ask({ url }, repeatable)).toEqual({ kind: 'good', value: 'done' })
  expect(timing.pauses).toEqual([500, 1_000, 2_000])
  expect(seen).toHaveLength(4)
})

test('a persistent failure is returned after four tries', async () => {
  const { ask, url, seen } = await setUp(Array.from({ length: 9 }, () => ({ status: 502 })))
  expect(await ask({ url }, repeatable)).toMatchObject({ failure: { kind: 'unreachable', cause: 'server', status: 502 } })
  expect(seen).toHaveLength(4)
})

test('a non-repeatable request is sent once, whatever happens', async () => {
  for (const trouble of ['cut', { status: 500 }] as const) {
    const { ask, url, seen, timing } = await setUp([trouble])
    expect(await ask({ url, form: { code: 'c' } }, { repeatable: false })).toMatchObject({ kind: 'failed', maybeDone: true })
    expect(seen).toHaveLength(1)
    expect(timing.pauses).toEqual([])
  }
})

test('silence ends at the timeout', async () => {
  const { ask, url } = await setUp(['silence'], 100)
  expect(await ask({ url }, { repeatable: false })).toMatchObject({ failure: { kind: 'unreachable', cause: 'timeout' }, maybeDone: true })
})

test('an abort ends a request at once', async () => {
  const giveUp = new AbortController()
  const { url } = await serveLoopback(() => {
    giveUp.abort()
    return 'silence'
  })
  expect(await createAsk(testTiming())({ url }, { repeatable: true, signal: giveUp.signal })).toMatchObject({ failure: { kind: 'aborted' } })
})

test('an abort ends a pause at once', async () => {
  const giveUp = new AbortController()
  const { url, seen } = await serveLoopback(() => ({ status: 503 }))
  const timing = { ...testTiming(), sleep: () => Promise.reject(new Error('aborted')) }
  const asking = createAsk({ ...timing, sleep: () => (giveUp.abort(), timing.sleep()) })({ url }, { repeatable: true, signal: giveUp.signal })
  expect(await asking).toMatchObject({ failure: { kind: 'aborted' } })
  expect(seen).toHaveLength(1)
})
