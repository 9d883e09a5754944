import { expect, test } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { judge } from './ask.ts'

const json = (value: unknown, status = 200): Exchange => ({ kind: 'json', status, retryAfterMs: null, value })
const text = (body: string, status = 200): Exchange => ({ kind: 'text', status, retryAfterMs: null, text: body })

test.each<[string, Exchange, object]>([
  ['rows', json([{ id: 1 }]), { kind: 'good' }],
  ['an empty errorText', json({ errorText: '', totalCashValue: 1 }), { kind: 'good' }],
  ['failureReason Success', json({ failureReason: 'Success', orderId: 1 }), { kind: 'good' }],
  ['errorText', json({ errorText: 'Account not found' }), { kind: 'failed', failure: { kind: 'refused-by-broker', detail: 'Account not found' } }],
  ['failureReason', json({ failureReason: 'AccountClosed', failureText: 'Closed' }), { kind: 'failed', failure: { kind: 'refused-by-broker', detail: 'AccountClosed: Closed' } }],
  ['error', json({ error: 'invalid_token' }), { kind: 'failed', failure: { kind: 'refused-by-broker', detail: 'invalid_token' } }],
  ['a bare sentence', text('Wrong client_id'), { kind: 'failed', failure: { kind: 'refused-by-broker', detail: 'Wrong client_id' } }],
  ['the wrong environment', json({ errorText: 'This endpoint should be called on live.tradovateapi.com' }), { kind: 'moved' }],
  ['a ticket', json({ 'p-ticket': 't', 'p-time': 3 }), { kind: 'ticket', ticket: 't', waitMs: 3_000 }],
  ['a captcha', json({ 'p-ticket': 't', 'p-captcha': true }), { kind: 'failed', failure: { kind: 'captcha', waitMs: 3_600_000 } }],
  ['401 without a body', text('', 401), { kind: 'denied', detail: 'http-401' }],
  ['403 with words', text('Access is denied', 403), { kind: 'denied' }],
  ['401 with an error', json({ error: 'invalid_client' }, 401), { kind: 'denied', detail: 'invalid_client' }],
  ['404', text('', 404), { kind: 'failed', failure: { kind: 'not-found' } }],
  ['307', text('', 307), { kind: 'moved' }],
  ['421', text('', 421), { kind: 'moved' }],
  ['423', text('', 423), { kind: 'failed', failure: { kind: 'captcha' } }],
  ['429', text('', 429), { kind: 'failed', failure: { kind: 'rate-limited', waitMs: 3_600_000 }, passing: false, suspect: true }],
  ['408', text('', 408), { kind: 'failed', failure: { kind: 'unreachable', status: 408 }, passing: true, suspect: true, maybeDone: true }],
  ['500', text('', 500), { kind: 'failed', failure: { kind: 'unreachable', status: 500 }, passing: true, suspect: true, maybeDone: true }],
  ['503', text('', 503), { kind: 'failed', failure: { kind: 'unreachable', status: 503 }, passing: true, suspect: false, maybeDone: true }],
  ['a page of HTML', text('<!doctype html><h1>Back soon</h1>'), { kind: 'failed', failure: { kind: 'unreadable-answer' }, passing: true, maybeDone: true }],
  ['half a JSON text', text('[{"id":1,"na'), { kind: 'failed', failure: { kind: 'unreadable-answer' }, passing: true, maybeDone: true }],
  ['an empty good answer', text(''), { kind: 'failed', failure: { kind: 'unreadable-answer' } }],
  ['a lost answer', { kind: 'lost', cause: 'network', reached: true }, { kind: 'failed', maybeDone: true, passing: true }],
  ['a connection that never was', { kind: 'lost', cause: 'network', reached: false }, { kind: 'failed', maybeDone: false, passing: true }],
])('%s', (_, answer, verdict) => {
  expect(judge(answer)).toMatchObject(verdict)
})

test('a rate limit with a wait is not a closed session', () => {
  expect(judge({ kind: 'text', status: 429, retryAfterMs: 5_000, text: '' })).toMatchObject({ failure: { waitMs: 5_000 }, suspect: false })
})

test('a wait is at most an hour, whatever the broker asks for', () => {
  expect(judge({ kind: 'text', status: 429, retryAfterMs: 1e18, text: '' })).toMatchObject({ failure: { waitMs: 3_600_000 } })
  expect(judge(json({ 'p-ticket': 't', 'p-time': 1e15 }))).toMatchObject({ kind: 'ticket', waitMs: 3_600_000 })
})

test('a secret in the request never appears in the broker’s text', () => {
  expect(judge(json({ errorText: 'secret-1 is refused' }), ['secret-1'])).toMatchObject({ failure: { detail: '… is refused' } })
})
