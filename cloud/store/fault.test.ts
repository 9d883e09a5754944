import { expect, test } from 'vitest'
import { mayPass } from './fault.ts'

const withCode = (code: string, message = 'said') => Object.assign(new Error(message), { code })

test.each([
  ['the server is stopping', withCode('57P01')],
  ['it has no room for another connection', withCode('53300')],
  ['the connection broke', withCode('08006')],
  ['a statement took too long', withCode('57014')],
  ['nobody listens', withCode('ECONNREFUSED')],
  ['the other side hung up', withCode('EPIPE')],
  ['two addresses, and nobody at either', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])],
  ['the driver lost it', new Error('Connection terminated unexpectedly')],
  ['the pool is exhausted', new Error('timeout exceeded when trying to connect')],
  ['wrapped by the query', new Error('Failed query', { cause: withCode('57P01') })],
])('%s: it may pass', (_what, error) => {
  expect(mayPass(error)).toBe(true)
})

test.each([
  ['a table that is not there', withCode('42P01')],
  ['a text that is no JSON', withCode('22P02')],
  ['a bug', new TypeError('x is not a function')],
  ['a bug in the query', new Error('Failed query', { cause: withCode('42601') })],
  ['no error at all', 'text'],
])('%s: it will not', (_what, error) => {
  expect(mayPass(error)).toBe(false)
})
