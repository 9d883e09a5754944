import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import type { Route } from '#shared/api/route.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { eventsPath, type Pushed } from '#shared/api/sync.ts'
import { draw, somebody } from '#tests/helpers/drawn.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { useQueryEvents } from './query-events.ts'

test.each<[Pushed['type'], string, readonly Route[]]>([
  ['finances-changed', 'the firm of an account, and what was paid out', [recordRoutes.getFinances, statisticsRoutes.statistics, statisticsRoutes.filterChoices, ruleRoutes.rules, ruleRoutes.replay]],
  ['journal-changed', 'trades and their notes', [statisticsRoutes.statistics, journalRoutes.pairPage, journalRoutes.findNotes, ruleRoutes.replay]],
])('%s, of any window, makes stale what shows %s', async (type, _, routes) => {
  const { client } = await draw(null, { namespaces: [], session: somebody })
  const answered = fetch
  // It stays open: once it reopened, everything would be stale.
  const stream = new ReadableStream({ start: (opened) => { opened.enqueue(new TextEncoder().encode(`data: ${JSON.stringify({ type })}\n\n`)) } })
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => (path === eventsPath ? Promise.resolve(new Response(stream)) : answered(path, init)))
  for (const { path } of routes) client.setQueryData([path, {}], {})
  renderHook(() => { useQueryEvents() }, { wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> })
  await waitFor(() => { expect(routes.filter(({ path }) => client.getQueryState([path, {}])?.isInvalidated !== true)).toEqual([]) })
})
