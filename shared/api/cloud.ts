import { z } from 'zod'
import { apiHosts } from '../sync/api-hosts.ts'
import { copierLeaseRoutes } from './copier-lease.ts'
import { identifier } from './fields.ts'
import { recordRoutes } from './journal.ts'
import { mirrorRoutes } from './mirror.ts'
import type { Route } from './route.ts'
import { subscriptionRoutes } from './subscription.ts'

const ofUser = z.object({ userId: identifier })
/** The default address of the program on a user's computer. */
export const standardProgram = 'http://127.0.0.1:47615'

/** The brokerage's answer to a code or a refresh token, unchanged. It is passed on and never stored. */
export const brokerTokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
  apiHosts: apiHosts.optional(),
})

/** Brokerage calls that only the cloud can make, because it holds the application's secret. */
export const cloudBrokerageRoutes = {
  tradovate: {
    method: 'POST',
    path: '/api/tradovate',
    body: z.union([
      ofUser.extend({ action: z.literal('refresh'), refreshToken: z.string().min(1).max(8_000) }),
      ofUser.extend({
        code: z.string().min(1).max(4_000),
        /** Where the consent led back to; where missing, to a program on its standard port. */
        redirectUri: z.url().max(500).default(`${standardProgram}/oauth/callback`),
        action: z.undefined().optional(),
      }),
    ]),
    answer: z.object({ success: z.literal(true), tokens: brokerTokens }),
  },
  /** The client id for the consent page; null if the cloud has no application at the brokerage. */
  brokerageApp: { method: 'GET', path: '/api/brokerage/app', answer: z.object({ clientId: z.string().nullable() }) },
} as const satisfies Record<string, Route>

/** Returns the user of a token, for a caller that has only the token. */
export const whoAmI = { method: 'GET', path: '/api/whoami', answer: z.object({ userId: identifier }) } as const satisfies Route

/** Deletes everything that the cloud stores for a user. A paid plan must be canceled first. */
export const deleteCloudAccount = { method: 'POST', path: '/api/account/delete', body: ofUser, answer: z.object({ success: z.literal(true) }) } as const satisfies Route

/** The payment provider's webhook, authenticated by its signature and not by a token. */
export const webhookPath = '/api/stripe/webhook'

/** Every call of the cloud; each needs a bearer token. */
export const cloudRoutes = { ...recordRoutes, ...mirrorRoutes, ...cloudBrokerageRoutes, ...subscriptionRoutes, ...copierLeaseRoutes, whoAmI, deleteCloudAccount } as const

/** Liveness check for a load balancer: no token, no database. */
export const healthPath = '/health'
/** Readiness check: answers 200 if the database answers. */
export const readyPath = '/ready'
