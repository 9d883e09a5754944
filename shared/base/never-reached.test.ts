import { expect, test } from 'vitest'
import { neverReached } from './never-reached.ts'

const failed = (code: unknown) => new TypeError('fetch failed', { cause: { code } })

test('only a connection that never came about reached nobody', () => {
  expect(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].map((code) => neverReached(failed(code)))).toEqual([true, true, true, true, true, true])
  expect([failed('ECONNRESET'), failed('UND_ERR_SOCKET'), failed(1), new Error('ECONNREFUSED'), 'ECONNREFUSED', null].map(neverReached)).toEqual([false, false, false, false, false, false])
})
