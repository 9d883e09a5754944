import { needSentences, startI18n } from '#renderer/i18n/i18n.ts'
import { paths } from '#renderer/lib/paths.ts'
import { sessionQuery } from '#renderer/lib/session.ts'
import type { SessionAnswer } from '#shared/api/session.ts'
import { nobody, somebody } from '#tests/helpers/drawn.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { ErrorScreen } from './error-screen.tsx'

const Breaks = (): never => {
  throw new Error('No price in “my note”')
}
const { currentUser } = somebody
if (currentUser === null) throw new Error('nobody')
const another: SessionAnswer = { ...somebody, currentUser: { ...currentUser, uid: 'v' } }

test.each([['signs out', nobody], ['is followed by another', another]])('a page that broke for one user is not shown once that user %s', async (_, next) => {
  vi.spyOn(console, 'error').mockReturnValue()
  await startI18n()
  await needSentences(['error'])
  const client = new QueryClient()
  client.setQueryData(sessionQuery.queryKey, somebody)
  const router = createMemoryRouter([{ path: '/broken', element: <Breaks />, errorElement: <ErrorScreen /> }, { path: paths.overview, element: <p>own page</p> }], { initialEntries: ['/broken'] })
  const { findByText, queryByText } = render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>)
  await findByText('No price in “my note”')
  act(() => { client.setQueryData(sessionQuery.queryKey, { ...somebody, currentUser: { ...currentUser, displayName: 'Renamed' } }) })
  expect(queryByText('No price in “my note”')).not.toBeNull()
  act(() => { client.setQueryData(sessionQuery.queryKey, next) })
  await findByText('own page')
  expect(queryByText('No price in “my note”')).toBeNull()
})
