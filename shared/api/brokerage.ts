import { z } from 'zod'
import { calendarDay, identifier, moment, nameText } from './fields.ts'
import { brokerageAccount, expiredAccount, firm } from './records.ts'
import type { Route } from './route.ts'

/** Where the callback redirects to. */
export const returnTo = z.enum(['autosync', 'tradecopier'])
export type ReturnTo = z.infer<typeof returnTo>

const ofUser = z.object({ userId: identifier })

/** The four calls under the spec's one brokerage path, distinguished by `action`; the code exchange has none. */
export const tradovateBody = z.union([
  ofUser.extend({ action: z.literal('account') }),
  ofUser.extend({ action: z.literal('checkTokenHealth') }),
  ofUser.extend({ action: z.literal('removeToken'), accountId: identifier, tokenDocId: identifier.optional() }),
  ofUser.extend({ code: z.string().min(1).max(4_000), state: z.string().max(200).optional(), action: z.undefined().optional() }),
])

/** The renderer never sees a token: the spec's `tokens.access_token` is an opaque marker that the exchange succeeded. */
export const exchangeAnswer = z.object({
  success: z.literal(true),
  tokens: z.object({ access_token: z.string() }),
  /** Names the login that was connected. */
  tokenDocId: identifier,
  returnTo,
})
export const accountsAnswer = z.object({ success: z.literal(true), accounts: z.array(brokerageAccount) })
export const healthAnswer = z.object({ success: z.literal(true), needsReauth: z.boolean(), expiredAccounts: z.array(expiredAccount) })
export const removedAnswer = z.object({ success: z.literal(true) })

/** The sync state of one account. */
export const accountSync = z.object({
  /** `from-files`: known only from imports. `elsewhere`: from the cloud or a journal file, without a login on this computer. `waiting`: the broker is rate limiting or unreachable. */
  state: z.enum(['never', 'good', 'running', 'waiting', 'login-needed', 'elsewhere', 'from-files']),
  /** End of the last run that read this account completely. */
  lastGoodAt: moment.nullable(),
  /** While waiting: the time of the next try. */
  nextTryAt: moment.nullable(),
})
export type AccountSync = z.infer<typeof accountSync>

/** A session whose fills may be missing: no run read the account after it ended, and the broker no longer lists it. */
export const syncGap = z.object({
  accountId: identifier,
  accountName: z.string(),
  tradingDay: calendarDay,
  /** From the last fetch in the session, or the session's start, to the session's end. */
  from: moment,
  to: moment,
})
export type SyncGap = z.infer<typeof syncGap>

/** A connected account as AutoSync and the sync status show it. */
export const connectedAccount = z.object({
  id: identifier,
  name: nameText,
  environment: z.enum(['live', 'demo']),
  /** The login that reaches it; empty where none does. */
  loginId: z.string(),
  loginName: z.string(),
  balance: z.string(),
  currency: z.string().length(3),
  balanceAt: moment.nullable(),
  /** From its label; null without one. */
  firm: firm.nullable(),
  /** The leader that it is marked as a copy of. Kept, without effect, if the leader is gone. */
  copyOf: identifier.nullable(),
  sync: accountSync,
  fills: z.number().int(),
})
export type ConnectedAccount = z.infer<typeof connectedAccount>

const databasePath = z.string().trim().min(1).max(1_000)

/** Connecting to the brokerage. */
export const brokerageRoutes = {
  tradovate: { method: 'POST', path: '/api/tradovate', body: tradovateBody, answer: z.union([healthAnswer, accountsAnswer, exchangeAnswer, removedAnswer]) },
  /** Starts a connection: stores where to return to, and returns the brokerage's authorization URL. */
  beginConsent: {
    method: 'POST',
    path: '/api/brokerage/consent',
    body: z.object({
      returnTo: returnTo.default('autosync'),
      anotherLogin: z.boolean().default(false),
      /** Fetches the past of the login too, once it is connected. */
      history: z.boolean().default(false),
    }),
    answer: z.object({ url: z.url() }),
  },
  /** Handles a connection that the brokerage or the user refused: forgets the state and returns where to go back to. */
  endConsent: {
    method: 'POST',
    path: '/api/brokerage/consent/end',
    body: z.object({ state: z.string().max(200).optional() }),
    answer: z.object({ returnTo }),
  },
  /** Connects a login by a user name and an API key, which stays on this computer. */
  connectKey: {
    method: 'POST',
    path: '/api/brokerage/key',
    body: z.object({ firm: z.enum(['topstepx']), userName: z.string().trim().min(1).max(200), apiKey: z.string().trim().min(1).max(1_000) }),
    answer: z.object({ success: z.literal(true) }),
  },
  /** The accounts in a NinjaTrader database on this computer; without a path in the one at NinjaTrader's usual place. */
  databaseAccounts: {
    method: 'POST',
    path: '/api/brokerage/database/accounts',
    body: z.object({ path: databasePath.optional() }),
    answer: z.object({
      path: z.string(),
      accounts: z.array(z.object({
        name: z.string(),
        simulated: z.boolean(),
        /** Already connected by a login of another platform: connected again, its trades would count twice. */
        elsewhere: z.boolean(),
        executions: z.number().int(),
        lastAt: moment.nullable(),
      })),
    }),
  },
  /** Connects accounts of a NinjaTrader database by their names; those that begin to trade later come by themselves. */
  connectDatabase: {
    method: 'POST',
    path: '/api/brokerage/database',
    body: z.object({ path: databasePath, accounts: z.array(z.string().max(200)).min(1).max(1_000) }),
    answer: z.object({ success: z.literal(true) }),
  },
  connectedAccounts: { method: 'GET', path: '/api/accounts', answer: z.object({ accounts: z.array(connectedAccount) }) },
  /** Missed sessions of accounts that this computer syncs, newest first. */
  syncGaps: { method: 'GET', path: '/api/accounts/gaps', answer: z.object({ gaps: z.array(syncGap) }) },
  /** The user confirms that nothing is missing from a session. */
  closeGap: { method: 'POST', path: '/api/accounts/gaps/close', body: z.object({ accountId: identifier, tradingDay: calendarDay }), answer: z.object({ success: z.literal(true) }) },
} as const satisfies Record<string, Route>

