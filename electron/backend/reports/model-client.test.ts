// @module-tag slow
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { answers, breaksAfter, fails, neverEnds, says, stallsAfter, startModelEndpoint, streams, type Answering, type ModelEndpoint } from '#tests/helpers/model-endpoint.ts'
import { askModel, modelsOf, type ModelAnswer } from './model-client.ts'

let endpoint: ModelEndpoint
beforeAll(async () => { endpoint = await startModelEndpoint() })
afterAll(() => endpoint.stop())
beforeEach(() => { endpoint.answer(says('Hello.')) })

const messages = [{ role: 'system', content: 'Be short.' }, { role: 'user', content: 'Good day' }] as const
const short = { firstChunkMs: 400, nextChunkMs: 300, totalMs: 20_000 }
const long = { firstChunkMs: 30_000, nextChunkMs: 30_000, totalMs: 30_000 }
const stays = new AbortController().signal
const ask = (more: { signal?: AbortSignal; timeouts?: typeof short; key?: string | null; onText?: (text: string) => void; baseUrl?: string } = {}): Promise<ModelAnswer> => {
  const { signal = stays, timeouts = long, key = 'key-5f1c', onText, baseUrl = endpoint.baseUrl } = more
  return askModel({ baseUrl, model: 'story-teller', key }, messages, { signal, timeouts, ...(onText === undefined ? {} : { onText }) })
}
const piece = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

test('streams the whole answer and reports its tokens', async () => {
  endpoint.answer(says('One two three.'))
  const received: string[] = []
  expect(await ask({ onText: (text) => received.push(text) })).toEqual({ text: 'One two three.', tokens: { input: 1000, output: 200 }, failure: null })
  expect(received.at(-1)).toBe('One two three.')
  expect(received.length).toBe(3)
  expect(endpoint.calls.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model: 'story-teller', messages, stream: true } })
})

test('works with an endpoint that counts no tokens or rejects stream_options', async () => {
  endpoint.answer(says('Done.', { usage: null }))
  expect(await ask()).toEqual({ text: 'Done.', tokens: null, failure: null })
  endpoint.answer(fails(400, { message: 'Unrecognized request argument supplied: stream_options' }), says('Done.'))
  expect(await ask()).toEqual({ text: 'Done.', tokens: null, failure: null })
})

test('sends a response format, and drops it for an endpoint that rejects it', async () => {
  const schema = { type: 'object' }
  const form = { type: 'json_schema', json_schema: { name: 'narrative', strict: true, schema } }
  const asked = () => askModel({ baseUrl: endpoint.baseUrl, model: 'story-teller', key: null }, messages, { signal: stays, schema })
  expect(await asked()).toMatchObject({ text: 'Hello.', failure: null })
  expect(endpoint.calls.at(-1)?.body).toMatchObject({ response_format: form, stream_options: { include_usage: true } })
  endpoint.answer(fails(400, { message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model" }), says('Done.'))
  expect(await asked()).toMatchObject({ text: 'Done.', tokens: { input: 1000 }, failure: null })
  expect(endpoint.calls.at(-1)?.body).not.toHaveProperty('response_format')
  endpoint.answer(fails(400, { message: 'unknown field stream_options' }), fails(400, { message: 'structured output is not supported' }), says('Done.'))
  expect(await asked()).toEqual({ text: 'Done.', tokens: null, failure: null })
  endpoint.answer(fails(400, { message: 'No.' }), says('Done.'))
  expect(await asked()).toMatchObject({ failure: 'refused' })
})

test('accepts chunks with missing, null or empty fields', async () => {
  const pieces = [{ choices: null }, { choices: [{ delta: null, finish_reason: '' }] }, { choices: [{ delta: { content: 'Do', reasoning: 'hm' }, finish_reason: '' }], usage: null }, { choices: [{ delta: { content: 'ne.' } }], usage: { prompt_tokens: 5, completion_tokens: 1 } }, { choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 2 } }]
  endpoint.answer(streams(`${pieces.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`))
  expect(await ask()).toEqual({ text: 'Done.', tokens: { input: 5, output: 2 }, failure: null })
})

test('sends only the endpoint’s own key, whatever the environment holds', async () => {
  for (const [name, value] of [['OPENAI_API_KEY', 'of-another'], ['OPENAI_ADMIN_KEY', 'of-another'], ['OPENAI_ORG_ID', 'of-another'], ['OPENAI_PROJECT_ID', 'of-another'], ['OPENAI_BASE_URL', 'https://of-another.example'], ['OPENAI_CUSTOM_HEADERS', 'x-more: of-another'], ['OPENAI_LOG', 'debug']] as const) vi.stubEnv(name, value)
  const spies = ['log', 'info', 'warn', 'error', 'debug'].map((name) => vi.spyOn(console, name as 'log'))
  onTestFinished(() => { vi.unstubAllEnvs(); vi.restoreAllMocks() })
  await ask()
  await ask({ key: null })
  const [first, second] = endpoint.calls.slice(-2)
  expect(first?.headers.authorization).toBe('Bearer key-5f1c')
  expect(second?.headers).not.toHaveProperty('authorization')
  for (const call of [first, second]) {
    expect(JSON.stringify(call?.headers)).not.toContain('of-another')
    expect(Object.keys(call?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([])
  }
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
})

test('retries a busy or failing endpoint', async () => {
  const before = endpoint.calls.length
  endpoint.answer(fails(429, { headers: { 'retry-after-ms': '10' } }), fails(500, { headers: { 'retry-after-ms': '10' } }), says('At last.'))
  expect(await ask()).toMatchObject({ text: 'At last.', failure: null })
  expect(endpoint.calls.length - before).toBe(3)
})

const again = { 'retry-after-ms': '1' }
const failing: readonly (readonly [string, Answering, Partial<ModelAnswer>])[] = [
  ['refuses the key', fails(401), { failure: 'key-refused' }],
  ['forbids', fails(403), { failure: 'key-refused' }],
  ['does not know the model', fails(404, { code: 'model_not_found' }), { failure: 'model-unknown' }],
  ['is too busy for too long', fails(429, { headers: again }), { failure: 'too-many-calls' }],
  ['stays in trouble', fails(503, { headers: again }), { failure: 'unreachable' }],
  ['gives up waiting itself', fails(504, { headers: again }), { failure: 'timed-out' }],
  ['can not take so much', fails(400, { code: 'context_length_exceeded' }), { failure: 'too-long' }],
  ['says so in other words', fails(400, { message: "This model's maximum context length is 4096 tokens." }), { failure: 'too-long' }],
  ['refuses', fails(400, { message: 'Your organization is not verified' }), { failure: 'refused' }],
  ['filters everything', streams(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'content_filter' }] })}\n\ndata: [DONE]\n\n`), { failure: 'refused' }],
  ['refuses in the answer', streams(`data: ${JSON.stringify({ choices: [{ delta: { refusal: 'I can not.' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`), { failure: 'refused' }],
  ['tells of its trouble in the answer', streams(`data: ${JSON.stringify({ error: { message: 'the model crashed' } })}\n\n`), { failure: 'refused' }],
  ['is no endpoint but a page', answers(200, 'text/html', '<!doctype html><title>Hi</title>'), { failure: 'unreadable' }],
  ['does not stream', answers(200, 'application/json', '{"choices":[{"message":{"content":"Hi"}}]}'), { failure: 'unreadable' }],
  ['sends rubbish', streams('data: {"choices":[{"del\n\ndata: oops\n\n'), { failure: 'unreadable' }],
  ['sends what has no such shape', streams('data: {"choices":"many"}\n\n'), { failure: 'unreadable' }],
  ['says nothing', streams('data: [DONE]\n\n'), { failure: 'unreadable' }],
  ['sends rubbish in the middle', streams(`${piece('Half')}data: oops\n\n`), { failure: 'gave-half', text: 'Half' }],
  ['ends in the middle', streams(piece('Half')), { failure: 'gave-half', text: 'Half' }],
  ['breaks the line', breaksAfter('Half'), { failure: 'gave-half', text: 'Half' }],
  ['has no room for the rest', says('Half', { finish: 'length' }), { failure: 'gave-half', text: 'Half', tokens: { input: 1000, output: 200 } }],
  ['never ends', neverEnds('again and '.repeat(100)), { failure: 'too-long', text: '' }],
]
test.each(failing)('an endpoint that %s is reported as such', async (_, way, wanted) => {
  endpoint.answer(way)
  expect(await ask()).toEqual({ text: '', tokens: null, ...wanted })
})

test('cuts off an endless answer even if it holds no event', { tags: 'long' }, async () => {
  endpoint.answer(async (call, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    while (!response.destroyed) if (!response.write('x'.repeat(65_536))) await Promise.race([once(response, 'drain'), call.closed])
  })
  expect(await ask()).toMatchObject({ failure: 'too-long' })
})

test('times out while it waits for the first chunk and for the next one', { tags: 'long' }, async () => {
  endpoint.answer(stallsAfter(''))
  expect(await ask({ timeouts: short })).toEqual({ text: '', tokens: null, failure: 'timed-out' })
  endpoint.answer(stallsAfter('Half'))
  expect(await ask({ timeouts: short })).toEqual({ text: 'Half', tokens: null, failure: 'gave-half' })
  endpoint.answer(neverEnds('.'))
  expect(await ask({ timeouts: { firstChunkMs: 20_000, nextChunkMs: 20_000, totalMs: 100 } })).toMatchObject({ failure: expect.stringMatching('gave-half|too-long|timed-out') as string })
})

test('an abort ends the call at once and closes the connection, before the first chunk and within an answer', async () => {
  for (const way of [stallsAfter(''), stallsAfter('Half')]) {
    endpoint.answer(way)
    const leaving = new AbortController()
    const asked = ask({ signal: leaving.signal })
    const call = await endpoint.called(endpoint.calls.length)
    leaving.abort()
    expect(await asked).toMatchObject({ failure: null })
    await call.closed
  }
  expect(await ask({ signal: AbortSignal.abort() })).toEqual({ text: '', tokens: null, failure: null })
})

test('an abort does not wait for a retry', async () => {
  endpoint.answer(fails(429, { headers: { 'retry-after': '30' } }))
  const leaving = new AbortController()
  const asked = ask({ signal: leaving.signal })
  await (await endpoint.called(endpoint.calls.length)).closed
  leaving.abort()
  expect(await asked).toMatchObject({ failure: null })
})

test('follows no redirect, so the key stays', async () => {
  const other = await startModelEndpoint()
  onTestFinished(other.stop)
  endpoint.answer(fails(307, { headers: { location: `${other.baseUrl}/chat/completions` } }))
  expect(await ask()).toMatchObject({ failure: 'unreadable' })
  expect(other.calls).toEqual([])
})

test('a missing endpoint is unreachable', { tags: 'long' }, async () => {
  const gone = await startModelEndpoint()
  await gone.stop()
  expect(await ask({ baseUrl: gone.baseUrl })).toMatchObject({ failure: 'unreachable' })
})

test('lists the endpoint’s models, or none if it does not say', async () => {
  expect(await modelsOf({ baseUrl: endpoint.baseUrl, model: 'any', key: null }, stays)).toEqual(['another', 'story-teller'])
  const gone = await startModelEndpoint()
  await gone.stop()
  expect(await modelsOf({ baseUrl: gone.baseUrl, model: 'any', key: null }, stays)).toEqual([])
})
