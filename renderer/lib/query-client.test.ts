import { expect, test } from 'vitest'
import type { SessionAnswer } from '#shared/api/session.ts'
import { ApiFailure, failureOf } from './api.ts'
import { createQueryClient, retryPauseMs, worthRetry } from './query-client.ts'
import { leaveFiles, useDroppedFiles } from './dropped-files.ts'
import { sessionQuery } from './session.ts'
import { useRecent } from '#renderer/app/commands/command-store.ts'
import { showEdits, useLocalChanges } from '#renderer/features/trade-logbook/local-changes.ts'
import { toast, useToasts } from '#renderer/ui/toast-store.ts'

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

test('only what is refused for want of a session, or of this user, asks again who is signed in', async () => {
  const client = createQueryClient()
  const refuse = (): Promise<never> => Promise.reject(new ApiFailure(401, null))
  client.setQueryData(sessionQuery.queryKey, undefined)
  const session = client.getQueryCache().build(client, { queryKey: sessionQuery.queryKey })
  await client.fetchQuery({ queryKey: ['/api/trades'], queryFn: () => Promise.reject(new ApiFailure(400, null)) }).catch(() => undefined)
  expect(session.state.isInvalidated).toBe(false)
  await client.fetchQuery({ queryKey: ['/api/trades'], queryFn: refuse }).catch(() => undefined)
  expect(session.state.isInvalidated).toBe(true)
  session.state.isInvalidated = false
  await failureOf(Response.json({ success: false, code: 'not-this-user', error: 'not-this-user' }, { status: 403 }))
  expect(session.state.isInvalidated).toBe(true)
})

test('what was read for one user is forgotten once another is signed in, and kept while it is the same', async () => {
  const client = createQueryClient()
  const read = (uid: string | null) => client.fetchQuery({ queryKey: sessionQuery.queryKey, queryFn: () => Promise.resolve({ currentUser: uid === null ? null : { uid, metadata: { creationTime: '2026-01-01T00:00:00.000Z' } } } as SessionAnswer), staleTime: 0 })
  const kept = () => client.getQueryData(['/api/trades'])
  client.setQueryData(['/api/trades'], 'of the page')
  await read('anna')
  await read('anna')
  expect(kept()).toBe('of the page')
  await read('bert')
  expect(kept()).toBeUndefined()
})

test('what one user left in the page is not shown to another, and is there when that user signs in again', async () => {
  const client = createQueryClient()
  const read = (uid: string | null) => client.fetchQuery({ queryKey: sessionQuery.queryKey, queryFn: () => Promise.resolve({ currentUser: uid === null ? null : { uid, metadata: { creationTime: '2026-01-01T00:00:00.000Z' } } } as SessionAnswer), staleTime: 0 })
  const left = () => [useLocalChanges.getState().edits.size, useDroppedFiles.getState().waiting.length, useToasts.getState().toasts.length, useRecent.getState().ids.length]
  await read('carl')
  showEdits(['t'], new Map([['t', { shown: { notes: 'mine' }, failed: false, tradeId: 't' }]]))
  leaveFiles([new File([], 'fills.csv')])
  toast({ title: 'Removed' })
  useRecent.getState().note('carl', 'account-1')
  await read(null)
  await read('carl')
  expect(left()).toEqual([1, 1, 1, 1])
  await read(null)
  await read('dora')
  expect(left()).toEqual([0, 0, 0, 0])
})
