import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { syncRoutes } from '#shared/api/sync.ts'
import { invalidateAll, invalidateRoutes } from './api.ts'

test.for([
  ['its route', (client: QueryClient) => invalidateRoutes(client, syncRoutes.syncState)],
  ['all', invalidateAll],
] as const)('a first reading that was asked before a change of %s does not hide it', async ([, invalidate]) => {
  const client = new QueryClient()
  const answers: ((text: string) => void)[] = []
  const observer = new QueryObserver(client, { queryKey: [syncRoutes.syncState.path, {}], queryFn: () => new Promise<string>((resolve) => answers.push(resolve)) })
  const end = observer.subscribe(() => undefined)
  const invalidated = invalidate(client)
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('after the change')
  answers[0]?.('before the change')
  await invalidated
  expect(observer.getCurrentResult().data).toBe('after the change')
  end()
})
