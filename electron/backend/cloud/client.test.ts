// @module-tag slow
import { expect, onTestFinished, test } from 'vitest'
import { ok } from '#shared/base/result.ts'
import { serveLoopback, type Seen, type Served } from '#tests/helpers/loopback.ts'
import { createCloudClient } from './client.ts'
import { createDevelopmentIdentity } from './development-identity.ts'
import { createCloudMirror } from './mirror-calls.ts'

const journal = '0c9a6a3e-6f0f-4a54-9d61-2f3f6f1f0001'
const { signal } = new AbortController()
const records = Buffer.from('[{"entity":"profile","id":"profile","content":{"timeZone":"Asia/Kolkata"}}]')

/** A cloud whose issuer numbers its tokens, and whose other calls the test answers. */
const serve = async (answer: (seen: Seen) => Served, timeoutMs?: number) => {
  let issued = 0
  const { url, seen } = await serveLoopback((one) => {
    if (one.path === '/dev/token') return { json: { token: `token-${String((issued += 1))}`, userId: 'ignored', expiresAt: '' } }
    if (one.path === '/api/whoami' && one.bearer !== 'stale') return { json: { userId: 'cloud-user' } }
    return answer(one)
  })
  const identity = createDevelopmentIdentity({ url: () => Promise.resolve(ok(url)), email: 'ann@example.com' })
  const client = createCloudClient(identity, timeoutMs)
  return { mirror: createCloudMirror(client), client, seen, issued: () => issued, url }
}
const held = { json: { journal, head: 4, rows: { fill: 2 } } }

test('gets the token once and the user once, and names that user in every call', async () => {
  const { mirror, seen, issued } = await serve(() => held)
  expect(await mirror.journal(signal)).toEqual(ok({ journal, head: 4, rows: { fill: 2 } }))
  await mirror.journal(signal)
  expect(issued()).toBe(1)
  expect(seen.map(({ method, url, bearer }) => `${method} ${url} ${String(bearer)}`)).toEqual([
    'POST /dev/token null',
    'GET /api/whoami token-1',
    'GET /api/mirror/journal?userId=cloud-user token-1',
    'GET /api/mirror/journal?userId=cloud-user token-1',
  ])
  expect(seen[0]?.fields).toEqual({ email: 'ann@example.com' })
})

test('sends records unchanged inside the body of the contract', async () => {
  const { mirror, seen } = await serve(() => ({ json: { outcome: 'taken', journal, head: 5 } }))
  expect(await mirror.push({ journal: null, after: 4, id: journal, records }, signal)).toEqual(ok({ outcome: 'taken', journal, head: 5 }))
  expect(seen.at(-1)?.fields).toEqual({ userId: 'cloud-user', journal: null, after: 4, id: journal, records: [{ entity: 'profile', id: 'profile', content: { timeZone: 'Asia/Kolkata' } }] })
})

test('replaces a refused token once; a second refusal is the result', async () => {
  const { mirror, issued, seen } = await serve(({ bearer }) => (bearer === 'token-1' ? { status: 401, json: { code: 'wrong-token' } } : held))
  expect(await mirror.journal(signal)).toMatchObject({ ok: true })
  expect(issued()).toBe(2)
  const always = await serve(() => ({ status: 401, json: { code: 'wrong-token' } }))
  expect(await always.mirror.journal(signal)).toMatchObject({ ok: false, error: { kind: 'refused', status: 401, code: 'wrong-token' } })
  expect(always.issued()).toBe(2)
  expect(seen.filter(({ path }) => path === '/api/mirror/journal')).toHaveLength(2)
})

test.each([
  [{ status: 500 }, { kind: 'unreachable', cause: 'server', status: 500 }],
  [{ status: 503, json: { code: 'internal' } }, { kind: 'unreachable', cause: 'server', status: 503 }],
  [{ status: 503, headers: { 'retry-after': '40' }, text: '<html>upstream' }, { kind: 'unreachable', status: 503, retryAfterMs: 40_000 }],
  [{ status: 429, headers: { 'retry-after': '40' }, json: { success: false, code: 'too-many-calls', retryAfterMs: 7_000 } }, { kind: 'unreachable', status: 429, retryAfterMs: 7_000 }],
  [{ status: 429 }, { kind: 'unreachable', cause: 'server', status: 429 }],
  ['cut', { kind: 'unreachable', cause: 'network' }],
  ['silence', { kind: 'unreachable', cause: 'timeout' }],
  [{ text: '<html>Sign in to the hotel' }, { kind: 'unreachable', cause: 'unreadable-answer' }],
  [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { kind: 'unreachable', cause: 'unreadable-answer' }],
  [{ json: { journal: 7 } }, { kind: 'unreachable', cause: 'unreadable-answer' }],
  [{ status: 403, json: { code: 'not-this-user' } }, { kind: 'refused', status: 403, code: 'not-this-user' }],
  [{ status: 400, text: 'no' }, { kind: 'refused', status: 400, code: null }],
] as const)('classifies a failed answer: %j', async (served, failure) => {
  const { mirror } = await serve(() => served as Served, 300)
  expect(await mirror.journal(signal)).toMatchObject({ ok: false, error: failure })
})

test('reads a Retry-After of a load balancer, and ignores an invalid one', async () => {
  const at = (text: string) => serve(() => ({ status: 503, headers: { 'retry-after': text } })).then(({ mirror }) => mirror.journal(signal))
  const dated = await at(new Date(Date.now() + 60_000).toUTCString())
  const waits = !dated.ok && dated.error.kind === 'unreachable' ? (dated.error.retryAfterMs ?? 0) : 0
  expect(waits).toBeGreaterThan(50_000)
  expect(waits).toBeLessThanOrEqual(60_000)
  for (const text of ['soon', '-5', '0', 'Thu, 01 Jan 1970 00:00:00 GMT']) expect(await at(text)).toEqual({ ok: false, error: { kind: 'unreachable', cause: 'server', status: 503, code: undefined, retryAfterMs: undefined } })
})

test('a missing server is unreachable; an abort is not', async () => {
  const gone = createDevelopmentIdentity({ url: () => Promise.resolve(ok('http://127.0.0.1:1')), email: 'ann@example.com' })
  expect(await createCloudMirror(createCloudClient(gone)).journal(signal)).toMatchObject({ ok: false, error: { kind: 'unreachable', cause: 'network' } })
  const stop = new AbortController()
  const { mirror } = await serve(() => {
    stop.abort()
    return 'silence'
  })
  onTestFinished(() => stop.abort())
  expect(await mirror.journal(stop.signal)).toEqual({ ok: false, error: { kind: 'aborted' } })
})

test('follows a cloud to its new address, with a new token', async () => {
  const [one, other] = [await serve(() => held), await serve(() => held)]
  let url = one.url
  const mirror = createCloudMirror(createCloudClient(createDevelopmentIdentity({ url: () => Promise.resolve(ok(url)), email: 'ann@example.com' })))
  await mirror.journal(signal)
  url = other.url
  expect(await mirror.journal(signal)).toMatchObject({ ok: true })
  expect([one.issued(), other.issued()]).toEqual([1, 1])
})
