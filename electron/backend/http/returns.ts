import type { Express, Request, RequestHandler } from 'express'
import { z } from 'zod'
import { identifier } from '#shared/api/fields.ts'
import { paymentOutcome, type ReturnedAccount } from '#shared/api/sync.ts'
import type { IdentityPort } from '../identity/identity.ts'
import { intoHash } from './pages.ts'
import type { Services } from './services.ts'

/**
 * Handles redirects from other providers and links in emails. A browser sends no cookie with such a request, because it
 * comes from another site, so its content is only useful to the browser that began the sign-in.
 */
export const serveAuthReturns = (app: Express, { federatedReturned, awaitsLink }: Pick<IdentityPort, 'federatedReturned' | 'awaitsLink'>, comeForward: (place: string | null) => void): void => {
  app.get('/auth/email-link', (request, _response, next) => {
    const place = linkPlace(request.query)
    // An unknown page must not move the window of a user who expects no link.
    if (place !== null && awaitsLink()) comeForward(place)
    next()
  }, intoHash('/auth/email-link'))
  app.get('/auth/google/return', (request, response) => {
    const { state, code } = request.query
    if (typeof state === 'string' && federatedReturned({ state, code: typeof code === 'string' ? code : null })) comeForward(null)
    // The provider's page may have cut the tie to the window that opened it; ours can still be closed.
    response.set({ 'Cache-Control': 'no-store', 'Cross-Origin-Opener-Policy': 'unsafe-none' }).type('html').send(donePage)
  })
  app.get(closerPath, closer)
}

/** Where the app's window continues with an emailed link: with the provider's keys, and nothing else. Null for any other link. */
const linkPlace = (query: unknown): string | null => {
  const given = linkQuery.safeParse(query)
  return given.success ? `/auth/email-link?${new URLSearchParams(given.data).toString()}` : null
}

const short = z.string().min(1).max(1_000).regex(/^[\w.~-]+$/)
const linkQuery = z.object({ apiKey: short, mode: z.literal('signIn'), oobCode: short, lang: short.optional().catch(undefined) }).transform(({ lang, ...rest }) => (lang === undefined ? rest : { ...rest, lang }))

const closerPath = '/auth/close.js'

const closer: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').type('text/javascript').send('window.close()\n')
}

const donePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fillbook: back from the sign-in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem }
</style>
<main>
<h1>You can close this window</h1>
<p>Fillbook goes on in the window where you began.</p>
</main>
<script src="${closerPath}"></script>
</html>
`

const returnQuery = z.object({
  visit: z.string().max(100).nullable().catch(null).default(null),
  payment: paymentOutcome.nullable().catch(null).default(null),
  session_id: identifier.nullable().catch(null).default(null),
})

/**
 * Handles redirects from the payment provider. The browser may be a borrowed one without a session, so the pages of the
 * user who began the payment are notified, and continue. What was paid is queried from the provider.
 */
export const servePaymentReturns = (app: Express, { paymentReturns, events }: Pick<Services, 'paymentReturns' | 'events'>, comeForward: (place: string | null) => void): void => {
  const cameBack =
    (to: ReturnedAccount['to']): RequestHandler =>
    (request, response) => {
      const { visit, payment, session_id: sessionId } = returnQuery.parse(queryOf(request))
      // Without a visit's mark, an unknown page may have linked here: notify no one.
      const userId = visit === null ? null : paymentReturns.userOf(visit)
      // The provider does not report what was done in its portal.
      const outcome = to === 'portal' && userId !== null ? (payment ?? 'changed') : payment
      if (userId !== null) {
        events.push(userId, { type: 'came-back', to, payment: outcome, sessionId })
        comeForward(null)
      }
      const known = new URLSearchParams({ ...(outcome === null ? {} : { payment: outcome }), ...(sessionId === null ? {} : { session_id: sessionId }) }).toString()
      response.set('Cache-Control', 'no-store').redirect(302, `/#/dashboard/ManageSubscription${known === '' ? '' : `?${known}`}`)
    }
  app.get('/checkout/return', cameBack('checkout'))
  app.get('/portal/return', cameBack('portal'))
}

const queryOf = ({ query }: Request): unknown => query
