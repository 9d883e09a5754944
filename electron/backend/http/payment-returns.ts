import type { Express, Request, RequestHandler } from 'express'
import { z } from 'zod'
import { identifier } from '#shared/api/fields.ts'
import { paymentOutcome, type CameBack } from '#shared/api/sync.ts'
import type { Services } from './services.ts'

const returnQuery = z.object({
  visit: z.string().max(100).nullable().catch(null).default(null),
  payment: paymentOutcome.nullable().catch(null).default(null),
  session_id: identifier.nullable().catch(null).default(null),
})

/**
 * Where the payment provider leads back to. Whichever browser that is, it may be one that was only lent, without a
 * session: the pages of the user who went there hear of it, and go on with it. What is paid is asked of the provider.
 */
export const servePaymentReturns = (app: Express, { paymentReturns, events }: Pick<Services, 'paymentReturns' | 'events'>, comeForward: (place: string | null) => void): void => {
  const cameBack =
    (to: CameBack['to']): RequestHandler =>
    (request, response) => {
      const { visit, payment, session_id: sessionId } = returnQuery.parse(queryOf(request))
      // Without the mark of a visit it may be a stranger's page that leads here: then nobody hears of it.
      const userId = visit === null ? null : paymentReturns.userOf(visit)
      // The provider does not say what was done in its portal.
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
