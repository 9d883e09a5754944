import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Handlers } from '#backend/http/mount.ts'
import type { cloudBrokerageRoutes } from '#shared/api/cloud.ts'
import type { copierLeaseRoutes } from '#shared/api/copier-lease.ts'
import type { recordRoutes } from '#shared/api/journal.ts'
import type { mirrorRoutes } from '#shared/api/mirror.ts'
import type { AccountFill, FillPairRecord } from '#shared/api/records.ts'
import { refuse, type Refused, wrongField } from '#shared/api/refused.ts'
import type { Route } from '#shared/api/route.ts'
import type { subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Fill } from '#shared/fills/fill.ts'
import { mergeFill } from '#shared/fills/merge.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { parsePrice, reprice } from '#shared/money/price.ts'
import { callCheck } from '#shared/plans/call-check.ts'
import type { Role } from '#shared/plans/checks.ts'
import { copyAccounts } from '#shared/plans/copy-accounts.ts'
import { createdByUser, loweredByUser, refusePaymentFields } from '#shared/plans/user-changes.ts'
import type { PaymentService } from '../payments/service.ts'
import { answerPayment } from '../payments/payment-calls.ts'
import type { BrokerSettings } from '../settings.ts'
import type { CopierLeases } from '../store/copier-leases.ts'
import type { JournalChange, Journals, JournalView } from '../store/journals.ts'
import type { Subscription } from '../store/schema.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import { exchangeGrant } from './broker-exchange.ts'
import { addFinance, listFinances, removeFinance } from './finances.ts'
import { specOf } from './journal-reads.ts'
import { addTrade, listTrades, removeTrade, removeTradesOfAccount, updateTrade } from './trades.ts'

type FillContent = NonNullable<ContentOf<'fill'>>

// The broker's number may mean an account on either of its sides: then only our id is unambiguous.
const accountOf = async (journal: JournalView, named: string): Promise<string | null> => {
  const connected = (await journal.list('account')).account.filter(({ content }) => content.removedAt === null)
  const numbered = connected.filter(({ content }) => content.brokerAccountId === named)
  return (connected.find(({ id }) => id === named) ?? (numbered.length === 1 ? numbered[0] : undefined))?.id ?? null
}

const contractOf = async (journal: JournalView, contractId: string): Promise<string | null> => {
  const kept = (await journal.get('contract', `demo/${contractId}`)) ?? (await journal.get('contract', `live/${contractId}`))
  return kept?.contract ?? null
}

const asFill = (id: string, kept: FillContent, tickSize: string): Fill => {
  const { otherFees, ...facts } = kept as FillContent & Omit<Fill, 'id' | 'otherFees'> & { readonly otherFees: CurrencyAmounts | null }
  return { ...facts, id, price: reprice(facts.price, facts.tickSize, tickSize) ?? facts.price, ...(otherFees === null ? {} : { otherFees }) }
}

/**
 * Adds a caller's fill: the account by our id or the broker's number, the contract by its symbol or the broker's id. A
 * fill from a better source wins. The user's computers derive the fill pairs.
 */
const addFill = async (journal: JournalChange, fill: AccountFill): Promise<Result<null, Refused>> => {
  const account = await accountOf(journal, fill.accountId)
  const contract = fill.contractSymbol ?? (await contractOf(journal, fill.contractId))
  if (account === null || contract === null) return refuse('not-found')
  const { tickSize } = await specOf(journal, contract)
  const price = parsePrice(fill.price, tickSize)
  if (!price.ok) return wrongField('fill.price', "not on the contract's tick")
  const { id, qty, action: side, contractId } = fill
  const given = { account, contract, time: Date.parse(fill.timestamp), side, qty, price: price.value, fee: null, active: true, source: 'handed-in' } as const
  const name = `${account}/${id}`
  const known = await journal.get('fill', name)
  const { change, fill: { fee, otherFees } } = mergeFill(known === null ? undefined : asFill(id, known, tickSize), { ...given, id } as typeof given & Fill)
  if (change === 'none') return ok(null)
  const content = { ...given, fee, tickSize, orderId: null, contractId, tradeDate: null, otherFees: otherFees === undefined ? null : [...otherFees] }
  await journal.put([{ entity: 'fill', id: name, content }])
  return ok(null)
}

/** The user of a call's token. */
export type CloudCaller = { readonly userId: string }

/** Dependencies of the spec's calls; `broker` is null if the cloud has no application at the brokerage, `payments` if nothing is sold, `now` returns UTC ms. */
export type CloudCallsDeps = {
  readonly journals: Journals
  readonly subscriptions: Subscriptions
  readonly broker: BrokerSettings | null
  readonly payments: PaymentService | null
  readonly roleOf: (userId: string) => Role
  readonly now: () => number
}

type CallsOf<Routes extends Record<string, Route>> = Handlers<Routes, CloudCaller, CloudCaller>

const done = ok({ success: true as const })

const recordCalls = ({ journals, now }: CloudCallsDeps): CallsOf<typeof recordRoutes> => ({
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
const mayConnect = async ({ subscriptions, roleOf, now }: CloudCallsDeps, userId: string): Promise<boolean> => {
  const kept = await subscriptions.get(userId)
  const asked = kept === null ? { kind: 'missing' as const } : { kind: 'found' as const, subscription: kept }
  return callCheck({ role: roleOf(userId), asked, details: null, requirement: 'autosync', now: now() }) === 'open'
}

const brokerageCalls = (deps: CloudCallsDeps): CallsOf<typeof cloudBrokerageRoutes> => ({
  tradovate: async ({ caller: { userId }, body }) => {
    const { broker } = deps
    // An ended plan still refreshes: connected accounts must not lose their access.
    if (body.action !== 'refresh' && !(await mayConnect(deps, userId))) return refuse('plan-needed')
    if (broker === null) return refuse('brokerage-not-configured')
    const exchanged = await exchangeGrant(broker, body.action === 'refresh' ? { refreshToken: body.refreshToken } : { code: body.code, redirectUri: body.redirectUri })
    return exchanged.ok ? ok({ success: true, tokens: exchanged.value }) : exchanged
  },
  brokerageApp: () => Promise.resolve(ok({ clientId: deps.broker?.clientId ?? null })),
})

/** Handlers of the spec's calls, for the token's user. */
export const cloudCalls = (deps: CloudCallsDeps): CallsOf<typeof recordRoutes & typeof cloudBrokerageRoutes & typeof subscriptionRoutes> => ({
  ...recordCalls(deps),
  ...brokerageCalls(deps),
  getSubscription: async ({ caller: { userId } }) => ok({ subscription: await deps.subscriptions.get(userId), role: deps.roleOf(userId), verifiedAt: new Date(deps.now()).toISOString() }),
  createSubscription: async ({ caller: { userId }, body }) => {
    const created = await createDefault(deps.subscriptions, userId, body.subscription, deps.now())
    return created.ok ? done : created
  },
  saveSubscription: async ({ caller: { userId }, body }) => {
    const saved = await lowerRights(deps.subscriptions, userId, body.subscription)
    return saved.ok ? done : saved
  },
  payments: ({ caller: { userId }, body }) => answerPayment(deps.payments, { userId, role: deps.roleOf(userId) }, body),
})

const pairsAtOnce = 500

/** The answer of the call `getTrades`, as JSON. It is written in chunks: a large journal must not block other calls. */
const tradesJson = async (pairs: Iterable<FillPairRecord>): Promise<Uint8Array> => {
  const parts: Buffer[] = [Buffer.from('{"success":true,"trades":[')]
  let texts: string[] = []
  const close = (): void => {
    if (texts.length > 0) parts.push(Buffer.from(`${parts.length > 1 ? ',' : ''}${texts.join(',')}`))
    texts = []
  }
  for (const pair of pairs) {
    texts.push(JSON.stringify(pair))
    if (texts.length < pairsAtOnce) continue
    close()
    await nextTurn()
  }
  close()
  return Buffer.concat([...parts, Buffer.from(']}')])
}

/** Creates the default subscription, which opens no paid page; an existing one stays unchanged. `now` is UTC ms. */
const createDefault = async (subscriptions: Subscriptions, userId: string, given: Subscription, now: number): Promise<Result<null, Refused>> => {
  const first = createdByUser(userId, given, new Date(now).toISOString())
  if (!first.ok) return refusePaymentFields(first.error)
  await subscriptions.create(userId, first.value)
  return ok(null)
}

/** Lowers the rights of a subscription; fields that payments write may only be included unchanged. */
const lowerRights = async (subscriptions: Subscriptions, userId: string, given: Subscription): Promise<Result<Subscription, Refused>> => {
  const saved = await subscriptions.change(userId, (kept) => loweredByUser(kept, given))
  if (saved.ok) return saved
  return saved.error === 'not-found' ? refuse('not-found') : refusePaymentFields(saved.error)
}

/** Dependencies of leases; `now` returns UTC ms. */
export type LeaseDeps = { readonly leases: CopierLeases; readonly subscriptions: Subscriptions; readonly roleOf: (userId: string) => Role; readonly now: () => number }

/** Handlers of the copier's lease calls, by the caller's saved subscription. */
export const copierLeaseCalls = ({ leases, subscriptions, roleOf, now }: LeaseDeps): Handlers<typeof copierLeaseRoutes, CloudCaller, CloudCaller> => ({
  leaseCopier: async ({ caller: { userId }, body: { machine, accounts, seconds } }) => {
    const kept = await subscriptions.get(userId)
    const limit = copyAccounts({ role: roleOf(userId), asked: kept === null ? { kind: 'missing' } : { kind: 'found', subscription: kept }, details: null, now: now() })
    return ok(limit === 0 ? { outcome: 'plan-needed' } : await leases.take(userId, { machine, accounts, seconds, limit }))
  },
  // Releasing works without a plan too.
  releaseCopier: async ({ caller: { userId }, body: { machine, accounts } }) => {
    await leases.release(userId, { machine, accounts })
    return ok({ success: true })
  },
})

/** Handlers of the mirror calls. */
export const mirrorCalls = (journals: Journals): Handlers<typeof mirrorRoutes, CloudCaller, CloudCaller> => ({
  push: async ({ caller: { userId }, body }) => ok(await journals.push(userId, body)),
  changes: async ({ caller: { userId }, query }) => {
    const page = await journals.changes(userId, query)
    return ok({ ...page, records: [...page.records] })
  },
  journal: async ({ caller: { userId }, query }) => ok(query.rows === 'counted' ? await journals.state(userId) : { ...(await journals.head(userId, query)), rows: null }),
})
