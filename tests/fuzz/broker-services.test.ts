import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Login } from '#backend/brokers/tradovate/login.ts'
import { openQuotes, type Quote, type QuoteSocket } from '#backend/brokers/tradovate/quotes.ts'
import { requestReport } from '#backend/brokers/tradovate/reports.ts'
import { readTokenAnswer } from '#cloud/calls/broker-exchange.ts'
import { brokerTokens } from '#shared/api/cloud.ts'
import { problem } from '#shared/api/problems.ts'
import { ok } from '#shared/base/result.ts'
import { holdAll } from './hold-all.ts'
import { hostileText, hostileValue } from './hostile.ts'

/** An object in which each of these fields is anything, or left out. */
const withAny = (...fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> => fc.record(Object.fromEntries(fields.map((field) => [field, hostileValue])), { requiredKeys: [] })
const textOf = (value: unknown): string => JSON.stringify(value) ?? ''

const secret = 'secret-that-nobody-sees'
const granted = fc.record({ access_token: fc.constant('t'), expires_in: hostileValue, refresh_token: hostileValue, refresh_token_expires_in: hostileValue, token_type: hostileValue }, { requiredKeys: ['access_token'] })
const penalty = fc.record({ 'p-ticket': fc.constant('ticket'), 'p-time': fc.oneof(hostileValue, fc.double({ min: 0, noNaN: true })), 'p-captcha': fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(false) }, hostileValue) }, { requiredKeys: ['p-ticket'] })
const tokenText = fc.oneof(granted.map(textOf), penalty.map(textOf), withAny('access_token', 'p-ticket', 'p-time', 'p-captcha', 'errorText', 'error', 'error_description').map(textOf), hostileText, hostileText.map((text) => `No: ${text} ${secret}`), hostileText.map((text) => textOf({ error: secret, error_description: text })))
const tokenAnswer = fc.record({ status: fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, fc.integer({ min: 100, max: 599 }), fc.constantFrom(404, 405, 408, 421, 423, 429)), retryAfter: fc.option(fc.oneof(hostileText, fc.nat().map(String))), text: tokenText })

const quoteRow = fc.oneof(
  { weight: 3, arbitrary: fc.record({ contractId: fc.oneof(fc.nat(), hostileValue), timestamp: hostileValue, entries: fc.oneof(hostileValue, fc.record({ Trade: fc.oneof(hostileValue, fc.record({ price: fc.oneof(fc.double({ noNaN: true }), hostileValue) })) })) }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: hostileValue },
)
const quoteEvent = fc.oneof(hostileValue, fc.record({ quotes: fc.oneof({ weight: 4, arbitrary: fc.array(quoteRow, { maxLength: 3 }) }, hostileValue) }))
// Left out is what rightly ends a socket: a shutdown message, and an unauthorized request. The ids are those of the requests.
const endsAccount = (message: Record<string, unknown>): boolean => message['e'] === 'shutdown' || message['i'] === 0
const pushed: fc.Arbitrary<Record<string, unknown>> = fc.oneof({ weight: 4, arbitrary: quoteEvent.map((d) => ({ e: 'md', d })) }, fc.record({ i: fc.oneof(fc.integer({ min: 1, max: 3 }), hostileValue), s: fc.oneof(fc.constantFrom(200, 401, 500), hostileValue), d: fc.oneof(hostileValue, withAny('errorText', 'mode', 'p-ticket')) }), fc.record({ e: hostileValue, d: hostileValue }))
const last = { contractId: 2 ** 40, price: 1, time: null }

let server: WebSocketServer
let wire: WebSocket
let socket: QuoteSocket
let received: Quote[] = []
let receivedLast: () => void = () => undefined
let ended: string | null = null
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (opened) => {
    wire = opened
    opened.send('o')
    opened.once('message', () => { opened.send('a[{"i":0,"s":200}]') })
  })
  await once(server, 'listening')
  await new Promise<void>((ready) => {
    socket = openQuotes({
      url: `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}/md/v1/websocket`, token: 't', times: { heartbeatMs: 60_000, silenceMs: 600_000, pongMs: 600_000 }, calls: () => undefined,
      onNews: (news) => {
        if (news.kind === 'ready') ready()
        else if (news.kind === 'closed') ended = news.why
        else if (news.kind === 'quotes') received.push(...news.quotes)
        if (received.some(({ contractId }) => contractId === last.contractId) || ended !== null) receivedLast()
      },
    })
  })
  socket.want(new Set(['NQZ6']))
})
afterAll(() => {
  socket.close()
  wire.terminate()
  server.close()
})

describe("any answer of a brokerage's services", () => {
  holdAll({
    'every token answer is read as one of the known kinds, with valid tokens and a finite wait, and no text repeats a secret': (numRuns) =>
      fc.assert(
        fc.property(tokenAnswer, (answer) => {
          const received = readTokenAnswer(answer, [secret])
          if (received.kind === 'tokens') expect(brokerTokens.parse(received.tokens)).toEqual(received.tokens)
          else expect(JSON.stringify(received)).not.toContain(secret)
          if ('waitMs' in received) expect(problem.shape.retryAfterMs.parse(Math.ceil(received.waitMs))).toBeGreaterThanOrEqual(0)
        }),
        { numRuns },
      ),
    'a report is a text, or unreadable': (numRuns) =>
      fc.assert(
        fc.asyncProperty(fc.oneof(hostileValue, withAny('data', 'errorText')), async (value) => {
          const login = { read: () => Promise.resolve(ok(value)) } as unknown as Login
          const report = await requestReport(login, { environment: 'demo', name: 'Fills', account: 'a', from: '2026-06-09', to: '2026-08-07' }, new AbortController().signal)
          if (report.ok) expect(typeof report.value).toBe('string')
          else expect(report.error).toEqual({ kind: 'unreadable-answer' })
        }),
        { numRuns },
      ),
    'a price is a number for a contract with or without a time, and no other push ends the socket': (numRuns) =>
      fc.assert(
        fc.asyncProperty(fc.array(pushed.filter((message) => !endsAccount(message)), { maxLength: 3 }), async (messages) => {
          received = []
          expect(ended).toBeNull()
          const arrived = new Promise<void>((resolve) => (receivedLast = resolve))
          wire.send(`a${JSON.stringify(messages)}`)
          wire.send(`a${JSON.stringify([{ e: 'md', d: { quotes: [{ contractId: last.contractId, entries: { Trade: { price: last.price } } }] } }])}`)
          await arrived
          expect([ended, received.at(-1)]).toEqual([null, last])
          for (const { contractId, price, time } of received) expect([typeof contractId, Number.isFinite(price), time === null || Number.isSafeInteger(time)]).toEqual(['number', true, true])
        }),
        { numRuns },
      ),
  })
})
