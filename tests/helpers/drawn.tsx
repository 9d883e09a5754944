import { drawFor } from '#renderer/lib/browser-key.ts'
import { needSentences, startI18n } from '#renderer/i18n/i18n.ts'
import { sessionRoutes, type SessionAnswer } from '#shared/api/session.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { vi } from 'vitest'

/** What a call is answered with; a status over 399 refuses it. */
export type Answer = { readonly status?: number; readonly json: object }

/** The session of a signed-out user, to a program without an identity provider. */
export const nobody: SessionAnswer = {
  currentUser: null, demo: false, identity: 'local', federated: [], endedBecause: null, secrets: 'keychain', demoOffered: false, brokerageReady: true, hasProfiles: true, recoveryCodeUnsaved: false, cloud: 'this-computer-only', timeZone: 'UTC', version: '1.0.0',
}

/** The session of a user with a profile on this computer. */
export const somebody: SessionAnswer = {
  ...nobody,
  currentUser: {
    uid: 'u', email: 'nina@example.com', emailVerified: true, displayName: 'Nina', photoURL: null, phoneNumber: null, isAnonymous: false, tenantId: null, providerData: [{ providerId: 'password', uid: 'nina@example.com' }],
    metadata: { creationTime: '2026-01-01T00:00:00.000Z', lastSignInTime: '2026-01-01T00:00:00.000Z' },
  },
}

/**
 * Renders a component with the providers of a screen, its English texts of `namespaces`, and a program
 * that answers each path by `answers`; `asked` are the bodies that a path was sent.
 */
export const draw = async (screen: ReactNode, { namespaces, session = nobody, answers = {} }: { namespaces: readonly string[]; session?: SessionAnswer; answers?: Record<string, (body: unknown) => Answer | Promise<Answer>> }) => {
  await startI18n()
  await needSentences(namespaces)
  const asked: { readonly path: string; readonly body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit = {}) => {
    if (path === sessionRoutes.session.path) return Response.json(session)
    const sent = typeof body === 'string' ? (JSON.parse(body) as unknown) : null
    asked.push({ path, body: sent })
    const answer = answers[path]
    if (answer === undefined) throw new TypeError(`Nobody answers ${path}`)
    const { status = 200, json } = await answer(sent)
    return Response.json(json, { status })
  })
  drawFor(session.currentUser?.uid ?? null)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData([sessionRoutes.session.path, {}], session)
  // A dialog lets pointers in one drawing after it opens; in a browser its user is slower than that.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  const drawn = render(
    <QueryClientProvider client={client}>
      <MemoryRouter>{screen}</MemoryRouter>
    </QueryClientProvider>,
  )
  return { ...drawn, user, asked, client }
}
