import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createCloudClient } from '#backend/cloud/client.ts'
import { newGoogleSecrets, swapGoogleCode } from '#backend/identity/firebase/google.ts'
import { createIdTokenCheck, publishedKeys } from '#backend/identity/firebase/id-token.ts'
import { askModel, modelsOf } from '#backend/reports/model-client.ts'
import { createBearer, ownKeys, publishedKeys as publishedKeysOfCloud } from '#cloud/identity/bearer.ts'
import { narrativeFailure } from '#shared/api/reports.ts'
import { cloudRoutes } from '#shared/api/cloud.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { ok } from '#shared/base/result.ts'
import { part, startProvider, type Provider } from '../cloud/provider.ts'
import { holdAll } from './hold-all.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { casesOf } from './schema-cases.ts'
import { casesOf as sizeOf } from '#tests/helpers/cases.ts'

/** What the other side answers next, whatever it is asked. */
type Answer = { readonly status: number; readonly type: string; readonly body: string }
let answer: Answer
let server: Server
let origin: string
let provider: Provider
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  provider = await startProvider({ issuer: 'https://securetoken.google.com/fillbook-test', audience: 'fillbook-test' })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await provider.stop()
})

const textOf = hostileValue.map((value) => JSON.stringify(value) ?? '')
const piece = fc.oneof(
  fc.record({ choices: fc.oneof(hostileValue, fc.array(fc.record({ index: fc.constant(0), delta: fc.oneof(hostileValue, fc.record({ content: hostileValue })), finish_reason: fc.oneof(fc.constantFrom(null, 'stop', 'length', 'content_filter', ''), hostileValue) }), { maxLength: 2 })), usage: fc.oneof(hostileValue, fc.record({ prompt_tokens: hostileValue, completion_tokens: hostileValue })) }, { requiredKeys: [] }).map((value) => JSON.stringify(value)),
  textOf,
  fc.constantFrom('[DONE]', '{', '', '{"error":{"message":"no"}}'),
)
const stream = fc.array(fc.tuple(fc.constantFrom('data: ', 'data:', 'event: x\ndata: ', ': ', 'retry: 1\ndata: ', ''), piece), { maxLength: 5 }).map((pieces) => pieces.map(([before, text]) => `${before}${text}\n\n`).join(''))
// Answers that are retried take time with each retry: the client's own test has those.
const modelAnswer = fc.record({ status: fc.constantFrom(200, 200, 200, 400, 401, 404), type: fc.constantFrom('text/event-stream', 'text/event-stream', 'application/json', 'text/html'), body: fc.oneof({ weight: 4, arbitrary: stream }, hostileText, textOf) })

const google = { clientId: 'fillbook', clientSecret: null, authorizeUrl: 'https://accounts.example.com/' }
const googleSaid = fc.oneof(
  textOf,
  hostileText,
  fc.oneof(hostileValue, fc.record({ aud: fc.oneof(fc.constant(google.clientId), hostileValue), nonce: hostileValue }, { requiredKeys: [] }).map((claims) => `${part({ alg: 'RS256' })}.${part(claims)}.AAAA`)).map((token) => JSON.stringify({ id_token: token })),
)
const keyLike = fc.record({ kty: fc.constantFrom<unknown>('RSA', 'EC', 'oct', 'OKP', 1), kid: fc.constantFrom<unknown>('first', 'x', null), alg: fc.oneof(fc.constant('RS256'), hostileValue), use: fc.oneof(fc.constant('sig'), hostileValue), n: hostileValue, e: fc.oneof(fc.constant('AQAB'), hostileValue), k: hostileValue, crv: hostileValue, x: hostileValue }, { requiredKeys: ['kty'] })
const keySet = fc.oneof(textOf, hostileText, fc.array(fc.oneof({ weight: 3, arbitrary: keyLike as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: hostileValue }), { maxLength: 3 }).map((keys) => JSON.stringify({ keys })))

const { journal, changes } = mirrorRoutes
const cloudAnswerOf = (route: keyof typeof asked) => {
  const { fitting, nearly, hostile } = casesOf(asked[route].answer, undefined)
  return fc.record({ route: fc.constant(route), status: fc.constantFrom(200, 200, 200, 302, 400, 401, 409, 500, 503), type: fc.constantFrom('application/json', 'text/html'), body: fc.oneof(fc.oneof(fitting, nearly, hostile).map((value) => JSON.stringify(value) ?? ''), hostileText) })
}
const asked = { journal, changes, getSubscription: cloudRoutes.getSubscription, whoAmI: cloudRoutes.whoAmI, tradovate: cloudRoutes.tradovate, leaseCopier: cloudRoutes.leaseCopier } as const

describe('any answer of other services', () => {
  holdAll(
    {
      'a model: the text is a string, and every failure has a known name': (numRuns) =>
        fc.assert(
          fc.asyncProperty(modelAnswer, async (given) => {
            answer = given
            const { text, tokens, failure } = await askModel({ baseUrl: `${origin}/v1`, model: 'm', key: null }, [{ role: 'user', content: 'hello' }], { signal: new AbortController().signal })
            expect([typeof text, text.length <= 60_000]).toEqual(['string', true])
            if (failure !== null) expect(narrativeFailure.options).toContain(failure)
            if (tokens !== null) expect([tokens.input, tokens.output].every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true)
          }),
          { numRuns },
        ),
      'a list of models: names, or none': (numRuns) =>
        fc.assert(
          fc.asyncProperty(fc.oneof(textOf, fc.array(fc.record({ id: hostileValue }), { maxLength: 3 }).map((data) => JSON.stringify({ object: 'list', data }))), async (body) => {
            answer = { status: 200, type: 'application/json', body }
            const names = await modelsOf({ baseUrl: `${origin}/v1`, model: 'm', key: null }, new AbortController().signal)
            expect(names.every((name) => typeof name === 'string' && name.length > 0 && [...name].length <= 200)).toBe(true)
          }),
          { numRuns },
        ),
      'the cloud: an answer that fits its contract, or a failure': (numRuns) =>
        fc.assert(
          fc.asyncProperty(fc.oneof(...(Object.keys(asked) as (keyof typeof asked)[]).map(cloudAnswerOf)), async ({ route, ...given }) => {
            answer = given
            const client = createCloudClient({ access: () => Promise.resolve(ok({ url: new URL(origin), token: 't' })) } as unknown as Parameters<typeof createCloudClient>[0], 5_000)
            const result = await client.call(asked[route], {} as never)
            if (result.ok) expect(given.status).toBe(200)
            else expect(typeof result.error.kind).toBe('string')
          }),
          { numRuns },
        ),
      'a token: no user, unless it is signed': (numRuns) =>
        fc.assert(
          fc.asyncProperty(
            fc.oneof(
              hostileText,
              fc.tuple(hostileValue, hostileValue, hostileText).map(([head, claims, signature]) => `${part((head ?? {}) as object)}.${part((claims ?? {}) as object)}.${signature}`),
              fc.constantFrom('none', 'HS256', 'RS256', 'ES256').map((alg) => `${part({ alg, kid: 'first' })}.${part(provider.claims())}.AAAA`),
            ),
            async (token) => {
              const keys = ownKeys({ keys: [] })
              const bearer = createBearer({ keys, issuer: 'https://securetoken.google.com/fillbook-test', audience: 'fillbook-test', firebase: true } as unknown as Parameters<typeof createBearer>[0])
              for (const header of [token, `Bearer ${token}`, `bearer  ${token} `]) expect((await bearer(header)).ok).toBe(false)
              expect((await createIdTokenCheck({ projectId: 'fillbook-test', now: Date.now, keys })(token)).ok).toBe(false)
            },
          ),
          { numRuns },
        ),
      'Google: only a sign-in that started here succeeds': (numRuns) =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(200, 200, 200, 302, 400, 500), googleSaid, async (status, body) => {
            answer = { status, type: 'application/json', body }
            const swapped = await swapGoogleCode({ ...google, tokenUrl: origin }, newGoogleSecrets(), { code: 'c', redirectUri: 'http://127.0.0.1/' })
            expect(swapped).toEqual({ ok: false, error: status === 500 ? 'network-request-failed' : 'federated-denied' })
          }),
          { numRuns },
        ),
      'published keys: they accept only the tokens that they signed': (numRuns) =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(200, 200, 200, 404, 500), keySet, async (status, body) => {
            answer = { status, type: 'application/json', body }
            const token = await provider.sign()
            const checked = await createIdTokenCheck({ projectId: 'fillbook-test', now: Date.now, keys: publishedKeys(new URL(origin)) })(token)
            expect(checked.ok ? 'in' : checked.error).toMatch(/^(wrong-token|keys-unreachable)$/)
            const bearer = createBearer({ keys: publishedKeysOfCloud(new URL(origin)), issuer: 'https://securetoken.google.com/fillbook-test', audience: 'fillbook-test', firebase: true } as unknown as Parameters<typeof createBearer>[0])
            // A case that cannot be decided fails.
            expect(await bearer(`Bearer ${token}`).then(({ ok: isIn }) => isIn, (error: unknown) => String(error))).toSatisfy((said) => said === false || said === 'Error: The key set can not be had')
          }),
          { numRuns },
        ),
    },
    { some: 20, many: sizeOf({ nightly: 800, long: 800, inCi: 200 }) },
  )
})
