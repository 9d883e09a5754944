import type { Handlers } from '#backend/http/mount.ts'
import type { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import type { recordRoutes } from '#shared/api/journal.ts'
import type { Route } from '#shared/api/route.ts'
import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok } from '#shared/base/result.ts'
import { callCheck } from '#shared/plans/call-check.ts'
import type { Role } from '#shared/plans/checks.ts'
import type { PaymentDesk } from '../payments/desk.ts'
import { answerPayment } from '../payments/payment-calls.ts'
import type { BrokerSettings } from '../settings.ts'
import type { Journals } from '../store/journals.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import { exchangeGrant } from './broker-exchange.ts'
import { addFill } from './fills.ts'
import { addFinance, listFinances, removeFinance } from './finances.ts'
import { refuse } from './refused.ts'
import { createDefault, lowerRights } from './subscriptions.ts'
import { addTrade, listTrades, removeTrade, removeTradesOfAccount, updateTrade } from './trades.ts'
import { tradesJson } from './trades-json.ts'

/** The user of a call's token. */
export type CloudCaller = { readonly userId: string }

/** What the calls of the spec stand on; `broker` is null where the cloud has no application at the brokerage, `payments` where it sells nothing, `now` gives UTC ms. */
export type CloudCallsParts = {
  readonly journals: Journals
  readonly subscriptions: Subscriptions
  readonly broker: BrokerSettings | null
  readonly payments: PaymentDesk | null
  readonly roleOf: (userId: string) => Role
  readonly now: () => number
}

type CallsOf<Routes extends Record<string, Route>> = Handlers<Routes, CloudCaller, CloudCaller>

const done = ok({ success: true as const })

const recordCalls = ({ journals, now }: CloudCallsParts): CallsOf<typeof recordRoutes> => ({
  getTrades: async ({ caller: { userId } }) => ok(await tradesJson(await journals.view(userId, (journal) => listTrades(journal, userId)))),
  addTrade: async ({ caller: { userId }, body }) => {
    const added = await journals.change(userId, (journal) => addTrade(journal, userId, body.trade, now()))
    return added.ok ? ok({ success: true, trade: added.value }) : added
  },
  removeTrade: async ({ caller: { userId }, body }) => {
    if ('accountId' in body) {
      await journals.change(userId, (journal) => removeTradesOfAccount(journal, body.accountId, now()))
      return done
    }
    const removed = await journals.change(userId, (journal) => removeTrade(journal, body.id, now()))
    return removed.ok ? done : removed
  },
  updateTrade: async ({ caller: { userId }, body }) => {
    const updated = await journals.change(userId, (journal) => updateTrade(journal, userId, body.id, body.updates, now()))
    return updated.ok ? ok({ success: true, trade: updated.value }) : updated
  },
  getFinances: async ({ caller: { userId } }) => ok({ success: true, finances: await journals.view(userId, (journal) => listFinances(journal, userId)) }),
  addFinance: async ({ caller: { userId }, body }) => {
    const added = await journals.change(userId, (journal) => addFinance(journal, userId, body.finance, now()))
    return added.ok ? ok({ success: true, finance: added.value }) : added
  },
  removeFinance: async ({ caller: { userId }, body }) => {
    const removed = await journals.change(userId, (journal) => removeFinance(journal, body.id, now()))
    return removed.ok ? done : removed
  },
  addFill: async ({ caller: { userId }, body }) => {
    const added = await journals.change(userId, (journal) => addFill(journal, body.fill))
    return added.ok ? done : added
  },
})

/** Whether a user may connect accounts, by the saved subscription. */
const mayConnect = async ({ subscriptions, roleOf, now }: CloudCallsParts, userId: string): Promise<boolean> => {
  const kept = await subscriptions.get(userId)
  const asked = kept === null ? { kind: 'missing' as const } : { kind: 'found' as const, subscription: kept }
  return callCheck({ role: roleOf(userId), asked, details: null, requirement: 'autosync', now: now() }) === 'open'
}

const brokerageCalls = (parts: CloudCallsParts): CallsOf<typeof cloudBrokerageRoutes> => ({
  tradovate: async ({ caller: { userId }, body }) => {
    const { broker } = parts
    // An ended plan still refreshes: connected accounts must not lose their access.
    if (body.action !== 'refresh' && !(await mayConnect(parts, userId))) return refuse('plan-needed')
    if (broker === null) return refuse('brokerage-not-configured')
    const exchanged = await exchangeGrant(broker, body.action === 'refresh' ? { refreshToken: body.refreshToken } : { code: body.code, redirectUri: body.redirectUri })
    return exchanged.ok ? ok({ success: true, tokens: exchanged.value }) : exchanged
  },
  brokerageApp: () => Promise.resolve(ok({ clientId: parts.broker?.clientId ?? null })),
})

/** Handlers of the spec's calls, for the token's user. */
export const cloudCalls = (parts: CloudCallsParts): CallsOf<typeof recordRoutes & typeof cloudBrokerageRoutes & typeof subscriptionRoutes> => ({
  ...recordCalls(parts),
  ...brokerageCalls(parts),
  getSubscription: async ({ caller: { userId } }) => ok({ subscription: await parts.subscriptions.get(userId), role: parts.roleOf(userId), verifiedAt: new Date(parts.now()).toISOString() }),
  createSubscription: async ({ caller: { userId }, body }) => {
    const created = await createDefault(parts.subscriptions, userId, body.subscription, parts.now())
    return created.ok ? done : created
  },
  saveSubscription: async ({ caller: { userId }, body }) => {
    const saved = await lowerRights(parts.subscriptions, userId, body.subscription)
    return saved.ok ? done : saved
  },
  payments: ({ caller: { userId }, body }) => answerPayment(parts.payments, { userId, role: parts.roleOf(userId) }, body),
})
