// @module-tag slow
import { expect, test } from 'vitest'
import { planTable, type PlanRow } from '#tests/helpers/plan-table.ts'
import { callCheck } from './call-check.ts'
import { applicationCheck, noRole, pageCheck, type Role } from './checks.ts'
import { momentMs } from './moment-ms.ts'
import { holdingPlan, offerOf } from './offer.ts'
import { gatedPages, planTypes, type Plan, type Requirement } from './plan.ts'
import { defaultSubscription, hasRunOut, isActive, runOut, effectiveAt, type ProviderDetails, type Subscription } from './subscription.ts'
import { createdByUser, loweredByUser } from './user-changes.ts'

const now = Date.UTC(2026, 10, 2, 15)
const iso = (time: number): string => new Date(time).toISOString()
const table = planTable(now)

const subscriptionOf = ({ asked }: PlanRow): Subscription | null => (asked.kind === 'found' ? asked.subscription : null)

test('the table holds enough, and names each row once', () => {
  expect(table.length).toBeGreaterThanOrEqual(40)
  expect(new Set(table.map(({ name }) => name)).size).toBe(table.length)
})

test.each(table.map((row) => [row.name, row] as const))('both checks: %s', (_, row) => {
  const { asked, role, details, application, autosync, tradecopier } = row
  const verdict = applicationCheck({ signedIn: true, role, asked })
  expect(verdict.granted ? (verdict.create ? 'creates' : 'opens') : verdict.because === 'failed' ? 'failed' : 'closed').toBe(application)
  const page = (requirement: Requirement | null) => pageCheck({ signedIn: true, role, requirement, subscription: subscriptionOf(row), details, now })
  const shown = { open: { granted: true }, closed: { granted: false, because: 'plan-needed' } }
  expect([page('autosync'), page('tradecopier'), page(null)]).toEqual([shown[autosync], shown[tradecopier], shown.open])
  const opens = application === 'opens' || application === 'creates'
  const call = (requirement: Requirement) => callCheck({ role, asked, details, requirement, now })
  const wanted = (page: 'open' | 'closed') => (application === 'failed' ? 'unknown' : opens && page === 'open' ? 'open' : 'plan-needed')
  expect([call('autosync'), call('tradecopier')]).toEqual([wanted(autosync), wanted(tradecopier)])
})

test('nobody signed in is let in nowhere, whatever else is known', () => {
  for (const { asked, role, details, ...row } of table) {
    expect([row.name, applicationCheck({ signedIn: false, role, asked })]).toEqual([row.name, { granted: false, because: 'no-user', message: null }])
    for (const requirement of ['autosync', 'tradecopier', null] as const) {
      expect(pageCheck({ signedIn: false, role, requirement, subscription: asked.kind === 'found' ? asked.subscription : null, details, now })).toEqual({ granted: false, because: 'no-user' })
    }
  }
})

test('a check that failed shows its own text', () => {
  expect(applicationCheck({ signedIn: true, role: noRole, asked: { kind: 'failed', message: 'Subscription check failed' } })).toEqual({ granted: false, because: 'failed', message: 'Subscription check failed' })
})

test('the pages and what each wants', () => {
  expect(gatedPages).toEqual({ AIreport: 'autosync', AutoSync: 'autosync', PositionScanner: 'autosync', TradeCopier: 'tradecopier' })
})

/** Every combination of what the checks look at. */
function* everything(): Generator<{ readonly subscription: Subscription | null; readonly role: Role }> {
  const roles: readonly Role[] = [noRole, { admin: true, subscriber: false }, { admin: false, subscriber: true }]
  for (const role of roles) yield { subscription: null, role }
  for (const role of roles)
    for (const subscriptionType of [undefined, ...planTypes])
      for (const status of [undefined, 'active', 'canceled', 'past_due'])
        for (const hasSubscription of [undefined, true, false])
          for (const subscriptionStatus of [undefined, 'complete', 'expired'] as const)
            for (const paymentStatus of [undefined, 'paid', 'unpaid'])
              for (const cancelAtPeriodEnd of [undefined, true, false])
                for (const currentPeriodEnd of [undefined, iso(now - 1), iso(now), iso(now + 1)])
                  yield { subscription: { subscriptionType, status, hasSubscription, subscriptionStatus, paymentStatus, cancelAtPeriodEnd, currentPeriodEnd }, role }
}

/** The rules as the spec says them: reasons for which a page stays closed. None of them knows the code. */
const reasonsAgainst = ({ subscription: kept, role }: { readonly subscription: Subscription | null; readonly role: Role }, wants: Requirement): string[] => {
  if (role.admin) return []
  if (kept === null) return ['no subscription']
  const reasons: string[] = []
  if (kept.hasSubscription !== true) reasons.push('holds none')
  if (kept.subscriptionStatus !== 'complete') reasons.push('not complete')
  if (kept.paymentStatus !== 'paid') reasons.push('not paid')
  if (kept.cancelAtPeriodEnd === true && kept.currentPeriodEnd !== undefined && Date.parse(kept.currentPeriodEnd) <= now) reasons.push('run out')
  const accepted = wants === 'autosync' ? ['autosync', 'tradecopier', 'tradecopier-mid', 'tradecopier-enterprise'] : ['tradecopier', 'tradecopier-mid', 'tradecopier-enterprise']
  if (!accepted.includes(String(kept.subscriptionType))) reasons.push('another plan')
  return reasons
}

test('every combination of plan, status, flags, dates and role comes to what the rules say', () => {
  let count = 0
  for (const one of everything()) {
    count += 1
    const { subscription, role } = one
    const opens = subscription === null || role.admin || subscription.status === 'active'
    const asked = subscription === null ? ({ kind: 'missing' } as const) : ({ kind: 'found', subscription } as const)
    const application = applicationCheck({ signedIn: true, role, asked })
    if (application.granted !== opens || (application.granted && application.create !== (subscription === null))) expect.fail(`the application: ${JSON.stringify(one)}`)
    for (const wants of ['autosync', 'tradecopier'] as const) {
      const isOpen = reasonsAgainst(one, wants).length === 0
      const granted = pageCheck({ signedIn: true, role, requirement: wants, subscription, details: null, now }).granted
      const call = callCheck({ role, asked, details: null, requirement: wants, now }) === 'open'
      if (granted !== isOpen || call !== (opens && isOpen)) expect.fail(`${wants}: ${JSON.stringify(one)}`)
    }
  }
  expect(count).toBe(3 + 3 * 5 * 4 * 3 * 3 * 3 * 3 * 4)
})

const details = (status: string, changes: Partial<ProviderDetails> = {}): ProviderDetails => ({ status, cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null, ...changes })

test('the provider’s subscription holds up to the second of its end, and not in it', () => {
  const end = now / 1_000
  const canceled = details('canceled', { cancel_at_period_end: true, cancel_at: end })
  expect([now - 1, now, now + 1].map((at) => isActive(canceled, at))).toEqual([true, false, false])
  expect(isActive({ ...canceled, cancel_at_period_end: false }, now - 1)).toBe(false)
  expect(isActive({ ...canceled, cancel_at: null }, now - 1)).toBe(false)
  expect(isActive(details('active', { cancel_at_period_end: true, cancel_at: end - 1 }), now)).toBe(true)
  expect(['past_due', 'unpaid', 'incomplete', 'trialing', 'paused', ''].filter((status) => isActive(details(status), now))).toEqual([])
})

test('a subscription runs out in the millisecond of its end, where it was to end and still is kept', () => {
  const ending: Subscription = { cancelAtPeriodEnd: true, hasSubscription: true, currentPeriodEnd: iso(now) }
  expect([now - 1, now, now + 1].map((at) => hasRunOut(ending, at))).toEqual([false, true, true])
  for (const other of [{ cancelAtPeriodEnd: false }, { cancelAtPeriodEnd: undefined }, { hasSubscription: false }, { hasSubscription: undefined }, { currentPeriodEnd: undefined }]) expect(hasRunOut({ ...ending, ...other }, now)).toBe(false)
  expect(effectiveAt(ending, null, now)).toEqual({ ...ending, ...runOut })
  expect(effectiveAt(ending, null, now - 1)).toEqual(ending)
  expect(effectiveAt(ending, details('active'), now)).toEqual({ ...ending, active: true, subscriptionStatus: 'complete', cancelAtPeriodEnd: false })
})

test('a moment is read as every clock reads it, and nothing else is a moment', () => {
  const moments = ['2026-11-02T15:00:00Z', '2026-11-02T15:00Z', '2026-11-02T15:00:00.5Z', '2026-11-02T15:00:00.123456Z', '2024-02-29T23:59:59.999Z', '2026-11-02T15:00:00+05:30', '2026-11-02T15:00:00-11:00', '1970-01-01T00:00:00Z', '2100-03-01T00:00:00+00:00', '1999-12-31T23:59:60Z'.replace(':60', ':59')]
  for (const moment of moments) expect([moment, momentMs(moment)]).toEqual([moment, Date.parse(moment)])
  for (const other of ['', '2026-11-02', '2026-11-02T15:00:00', '2 November 2026', '2026-11-02 15:00:00Z', 'T', '1762095600']) expect(() => momentMs(other)).toThrow(RangeError)
})

const paid = (plan: Plan): Subscription => ({ status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: plan })

test('the plan that holds', () => {
  expect(planTypes.map((plan) => holdingPlan(paid(plan), null, now))).toEqual(planTypes)
  expect(holdingPlan(null, null, now)).toBeNull()
  expect(holdingPlan(defaultSubscription('u', iso(now)), null, now)).toBeNull()
  expect(holdingPlan({ ...paid('autosync'), subscriptionType: undefined }, null, now)).toBeNull()
  expect(holdingPlan({ ...paid('autosync'), cancelAtPeriodEnd: true, currentPeriodEnd: iso(now) }, null, now)).toBeNull()
  expect(holdingPlan(paid('autosync'), details('past_due'), now)).toBeNull()
})

test('what each button offers, by what holds and who asks', () => {
  const offers = (role: Role, holding: Plan | null) => planTypes.map((plan) => offerOf(plan, { role, holding }))
  const [buyer, all] = [{ admin: false, subscriber: true }, ['subscribe', 'subscribe', 'subscribe', 'subscribe']]
  expect(offers(buyer, null)).toEqual(all)
  expect(offers(buyer, 'autosync')).toEqual(['current', 'subscribe', 'subscribe', 'subscribe'])
  expect(offers(buyer, 'tradecopier')).toEqual(['included', 'current', 'subscribe', 'subscribe'])
  expect(offers(buyer, 'tradecopier-mid')).toEqual(['included', 'subscribe', 'current', 'subscribe'])
  expect(offers(buyer, 'tradecopier-enterprise')).toEqual(['included', 'subscribe', 'subscribe', 'current'])
  for (const role of [noRole, { admin: true, subscriber: false }]) {
    expect(offers(role, null)).toEqual(['not-sold', 'not-sold', 'not-sold', 'not-sold'])
    expect(offers(role, 'tradecopier-mid')).toEqual(['included', 'not-sold', 'current', 'not-sold'])
  }
})

test('a user’s program creates the default and nothing more', () => {
  const at = iso(now)
  expect(createdByUser('u', {}, at)).toEqual({ ok: true, value: defaultSubscription('u', at) })
  expect(createdByUser('u', { ...defaultSubscription('other', iso(0)), cancelAtPeriodEnd: true }, at)).toEqual({ ok: true, value: { userId: 'u', status: 'active', firstPaymentDate: iso(0), cancelAtPeriodEnd: true } })
  const more: Subscription = { status: 'trialing', stripeCustomerId: 'c', subscriptionType: 'autosync', currentPeriodStart: at, currentPeriodEnd: at, hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true }
  for (const name of Object.keys(more) as (keyof Subscription)[]) expect(createdByUser('u', { status: 'active', [name]: more[name] }, at)).toEqual({ ok: false, error: [name] })
})

test('whatever a user’s program saves, it opens nothing that was closed', () => {
  const at = { requirement: 'autosync', details: null, role: noRole } as const
  const isOpen = (subscription: Subscription, when: number): boolean => callCheck({ ...at, asked: { kind: 'found', subscription }, now: when }) === 'open'
  const givens = [...everything()].flatMap(({ subscription, role }, index) => (subscription !== null && !role.admin && !role.subscriber && index % 61 === 0 ? [subscription] : []))
  const kepts = [...everything()].flatMap(({ subscription, role }, index) => (subscription !== null && !role.admin && !role.subscriber && index % 17 === 0 ? [subscription] : []))
  let saved = 0
  for (const kept of kepts)
    for (const given of [...givens, { ...kept, ...runOut }, runOut]) {
      const lowered = loweredByUser(kept, given)
      if (!lowered.ok) continue
      saved += 1
      for (const when of [now - 2, now, now + 2]) if (isOpen(lowered.value, when) && !isOpen(kept, when)) expect.fail(`${JSON.stringify(kept)} rose by ${JSON.stringify(given)}`)
    }
  expect(saved).toBeGreaterThan(kepts.length)
  expect(loweredByUser(paid('autosync'), { ...paid('autosync'), ...runOut })).toEqual({ ok: true, value: { ...paid('autosync'), ...runOut } })
  expect(loweredByUser(runOut, { hasSubscription: true, subscriptionStatus: 'complete', userId: 'u' })).toEqual({ ok: false, error: ['hasSubscription', 'subscriptionStatus'] })
})
