import { expect, test } from 'vitest'
import { ApiFailure } from './api.ts'
import { createQueryClient, retryPauseMs, worthRetry } from './query-client.ts'
import { sessionQuery } from './session.ts'

test('a reading is tried three times more, unless the program refused it', () => {
  const broken = new ApiFailure(500, null)
  const unreachable = new ApiFailure(0, null)
  const refused = new ApiFailure(404, { success: false, code: 'not-found', error: 'not-found' })
  expect([0, 1, 2, 3].map((failures) => worthRetry(failures, broken))).toEqual([true, true, true, false])
  expect(worthRetry(0, unreachable)).toBe(true)
  expect(worthRetry(0, refused)).toBe(false)
})

test('the pause doubles from one second to thirty', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(retryPauseMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('what nothing shows is kept for five minutes', () => {
  expect(createQueryClient().getDefaultOptions().queries?.gcTime).toBe(300_000)
})

test('only a reading that is refused for want of a session asks again who is signed in', async () => {
  const client = createQueryClient()
  const refuse = (): Promise<never> => Promise.reject(new ApiFailure(401, null))
  client.setQueryData(sessionQuery.queryKey, undefined)
  const session = client.getQueryCache().build(client, { queryKey: sessionQuery.queryKey })
  await client.fetchQuery({ queryKey: ['/api/trades'], queryFn: () => Promise.reject(new ApiFailure(400, null)) }).catch(() => undefined)
  expect(session.state.isInvalidated).toBe(false)
  await client.fetchQuery({ queryKey: ['/api/trades'], queryFn: refuse }).catch(() => undefined)
  expect(session.state.isInvalidated).toBe(true)
})
