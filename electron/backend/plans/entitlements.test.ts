import { expect, test } from 'vitest'
import { ok, type Result } from '#shared/base/result.ts'
import { noRole } from '#shared/plans/checks.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'
import { openRightsJournal } from '#tests/helpers/rights-journal.ts'
import type { CloudFailure } from '../cloud/failure.ts'
import type { CloudSubscriptions } from '../cloud/subscriptions.ts'
import { createEntitlements } from './entitlements.ts'

const now = Date.UTC(2026, 10, 2, 15)
const active: ProviderDetails = { status: 'active', cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null }
const owing: Subscription = { status: 'past_due', stripeCustomerId: 'cus_1' }
const paid: Subscription = { ...owing, status: 'active', hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', subscriptionType: 'autosync' }

test('a late answer to an earlier request does not replace the newer one', async () => {
  const { journal, userId } = openRightsJournal()
  const slow = Promise.withResolvers<Result<ProviderDetails, CloudFailure>>()
  const answers = [owing, paid]
  const calls: Partial<CloudSubscriptions> = {
    get: () => Promise.resolve(ok({ subscription: answers.shift() ?? null, role: noRole, verifiedAt: now })),
    details: () => slow.promise,
  }
  const standings = createEntitlements({ journal, cloudUrl: 'https://cloud.example', callsOf: () => Promise.resolve(calls as CloudSubscriptions), demoRole: noRole, roleOf: () => null, now: () => now, uptime: () => 0 })
  const earlier = standings.ask(userId, { details: true })
  expect(await standings.ask(userId)).toMatchObject({ ok: true, value: { subscription: paid } })
  slow.resolve(ok(active))
  expect(await earlier).toMatchObject({ ok: true, value: { subscription: paid } })
  expect(await standings.known(userId)).toMatchObject({ subscription: paid })
})
