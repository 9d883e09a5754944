import { noRole, type SubscriptionAnswer, type Role } from '#shared/plans/checks.ts'
import type { Plan } from '#shared/plans/plan.ts'
import type { ProviderDetails, Subscription } from '#shared/plans/subscription.ts'

/** One state of a signed-in user, and what each check must say to it: written down by hand. */
export type PlanRow = {
  readonly name: string
  readonly asked: SubscriptionAnswer
  /** The payment provider's; null where they are not asked for, or cannot be had. */
  readonly details: ProviderDetails | null
  readonly role: Role
  /** The application check; `creates` opens too, and makes the default subscription. */
  readonly application: 'opens' | 'creates' | 'closed' | 'failed'
  /** The page check of AIreport, AutoSync and PositionScanner. */
  readonly autosync: 'open' | 'closed'
  /** The page check of TradeCopier. */
  readonly tradecopier: 'open' | 'closed'
  /** It holds at one moment only, so that a clock that runs cannot be asked. */
  readonly atOneMoment: boolean
}

type Verdicts = readonly [PlanRow['application'], PlanRow['autosync'], PlanRow['tradecopier']]
type More = Partial<Pick<PlanRow, 'role' | 'atOneMoment'>> & { readonly details?: ProviderDetails }

const admin: Role = { admin: true, subscriber: false }
const subscriber: Role = { admin: false, subscriber: true }
const day = 86_400_000
const iso = (time: number): string => new Date(time).toISOString()

/** The table at `now`, UTC ms. A gated page or call is open where the application opens and the page check of its requirement says so. */
export const planTable = (now: number): readonly PlanRow[] => {
  const soon = iso(now + 20 * day)
  const over = iso(now - day)
  const byDefault: Subscription = { status: 'active', firstPaymentDate: over, cancelAtPeriodEnd: false }
  const paid = (plan: Plan | undefined, changes: Subscription = {}): Subscription => {
    const whole = { ...byDefault, stripeCustomerId: 'cus_1', subscriptionType: plan, currentPeriodStart: over, currentPeriodEnd: soon, hasSubscription: true, subscriptionStatus: 'complete', paymentStatus: 'paid', active: true, ...changes } as const
    return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined))
  }
  const details = (status: string, changes: Partial<ProviderDetails> = {}): ProviderDetails => ({ status, cancel_at_period_end: false, billing_cycle_anchor: null, start_date: null, cancel_at: null, ...changes })
  const seconds = (time: number): number => Math.floor(time / 1_000)

  const rowOf = (name: string, asked: SubscriptionAnswer, [application, autosync, tradecopier]: Verdicts, { details, role = noRole, atOneMoment = false }: More = {}): PlanRow => ({ name, asked, details: details ?? null, role, application, autosync, tradecopier, atOneMoment })
  const row = (name: string, subscription: Subscription | null, verdicts: Verdicts, more?: More): PlanRow => rowOf(name, subscription === null ? { kind: 'missing' } : { kind: 'found', subscription }, verdicts, more)

  return [
    // Nobody paid.
    row('no subscription', null, ['creates', 'closed', 'closed']),
    row('no subscription, the admin', null, ['creates', 'open', 'open'], { role: admin }),
    row('no subscription, the subscriber', null, ['creates', 'closed', 'closed'], { role: subscriber }),
    rowOf('the server could not be asked', { kind: 'failed', message: 'Failed to fetch or create subscription' }, ['failed', 'closed', 'closed']),
    row('the default', byDefault, ['opens', 'closed', 'closed']),
    row('the default, the admin', byDefault, ['opens', 'open', 'open'], { role: admin }),
    row('the default, the subscriber', byDefault, ['opens', 'closed', 'closed'], { role: subscriber }),
    row('an empty subscription', {}, ['closed', 'closed', 'closed']),

    // Each plan.
    row('autosync', paid('autosync'), ['opens', 'open', 'closed']),
    row('tradecopier', paid('tradecopier'), ['opens', 'open', 'open']),
    row('tradecopier-mid', paid('tradecopier-mid'), ['opens', 'open', 'open']),
    row('tradecopier-enterprise', paid('tradecopier-enterprise'), ['opens', 'open', 'open']),
    row('paid, but for no plan', paid(undefined), ['opens', 'closed', 'closed']),
    row('autosync, the subscriber', paid('autosync'), ['opens', 'open', 'closed'], { role: subscriber }),
    row('autosync, the admin', paid('autosync'), ['opens', 'open', 'open'], { role: admin }),

    // Each flag alone.
    row('autosync without hasSubscription', paid('autosync', { hasSubscription: undefined }), ['opens', 'closed', 'closed']),
    row('autosync, hasSubscription false', paid('autosync', { hasSubscription: false }), ['opens', 'closed', 'closed']),
    row('tradecopier, hasSubscription false', paid('tradecopier', { hasSubscription: false }), ['opens', 'closed', 'closed']),
    row('autosync without subscriptionStatus', paid('autosync', { subscriptionStatus: undefined }), ['opens', 'closed', 'closed']),
    row('autosync, expired', paid('autosync', { subscriptionStatus: 'expired' }), ['opens', 'closed', 'closed']),
    row('tradecopier-enterprise, expired', paid('tradecopier-enterprise', { subscriptionStatus: 'expired' }), ['opens', 'closed', 'closed']),
    row('autosync without paymentStatus', paid('autosync', { paymentStatus: undefined }), ['opens', 'closed', 'closed']),
    row('autosync, unpaid', paid('autosync', { paymentStatus: 'unpaid' }), ['opens', 'closed', 'closed']),
    row('tradecopier-mid, unpaid', paid('tradecopier-mid', { paymentStatus: 'unpaid' }), ['opens', 'closed', 'closed']),
    row('tradecopier, no payment required', paid('tradecopier', { paymentStatus: 'no_payment_required' }), ['opens', 'closed', 'closed']),
    row('autosync, paid in other letters', paid('autosync', { paymentStatus: 'Paid' }), ['opens', 'closed', 'closed']),
    row('autosync, active false: nobody looks at it', paid('autosync', { active: false }), ['opens', 'open', 'closed']),
    row('expired, the admin', paid('autosync', { hasSubscription: false, subscriptionStatus: 'expired' }), ['opens', 'open', 'open'], { role: admin }),
    row('expired, the subscriber', paid('autosync', { hasSubscription: false, subscriptionStatus: 'expired' }), ['opens', 'closed', 'closed'], { role: subscriber }),

    // Each status: only 'active' opens the application, whatever the page check says.
    row('canceled', paid('tradecopier', { status: 'canceled' }), ['closed', 'open', 'open']),
    row('past_due', paid('tradecopier', { status: 'past_due' }), ['closed', 'open', 'open']),
    row('trialing', paid('autosync', { status: 'trialing' }), ['closed', 'open', 'closed']),
    row('unpaid as a status', paid('autosync', { status: 'unpaid', paymentStatus: 'unpaid' }), ['closed', 'closed', 'closed']),
    row('no status', paid('autosync', { status: undefined }), ['closed', 'open', 'closed']),
    row('Active in other letters', paid('autosync', { status: 'Active' }), ['closed', 'open', 'closed']),
    row('canceled, the admin', paid('autosync', { status: 'canceled', hasSubscription: false }), ['opens', 'open', 'open'], { role: admin }),
    row('canceled, the subscriber', paid('autosync', { status: 'canceled' }), ['closed', 'open', 'closed'], { role: subscriber }),

    // Each date.
    row('to end with its period, which runs', paid('tradecopier', { cancelAtPeriodEnd: true }), ['opens', 'open', 'open']),
    row('to end with its period, which is over', paid('tradecopier', { cancelAtPeriodEnd: true, currentPeriodEnd: over }), ['opens', 'closed', 'closed']),
    row('to end with its period, which is over, the admin', paid('tradecopier', { cancelAtPeriodEnd: true, currentPeriodEnd: over }), ['opens', 'open', 'open'], { role: admin }),
    row('to end with its period, whose end nobody knows', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: undefined }), ['opens', 'open', 'closed']),
    row('to end this very moment', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: iso(now) }), ['opens', 'closed', 'closed'], { atOneMoment: true }),
    row('to end in a millisecond', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: iso(now + 1) }), ['opens', 'open', 'closed'], { atOneMoment: true }),
    row('to end in an hour, as the clock of another zone says it', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: iso(now - 3_600_000).replace('Z', '-02:00') }), ['opens', 'open', 'closed']),
    row('to end, and over an hour ago by the clock of another zone', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: iso(now + 3_600_000).replace('Z', '+02:00') }), ['opens', 'closed', 'closed']),
    row('to go on, and not renewed yet', paid('autosync', { currentPeriodEnd: over }), ['opens', 'open', 'closed']),
    row('nothing said of its end, which is over', paid('tradecopier', { cancelAtPeriodEnd: undefined, currentPeriodEnd: over }), ['opens', 'open', 'open']),

    // The payment provider's current answer wins over the stored one.
    row('kept as expired, active at the provider', paid('autosync', { subscriptionStatus: 'expired' }), ['opens', 'open', 'closed'], { details: details('active') }),
    row('no longer kept as a subscription, active at the provider', paid('autosync', { hasSubscription: false }), ['opens', 'closed', 'closed'], { details: details('active') }),
    row('unpaid here, active at the provider', paid('tradecopier', { paymentStatus: 'unpaid' }), ['opens', 'closed', 'closed'], { details: details('active') }),
    row('past due at the provider', paid('tradecopier'), ['opens', 'closed', 'closed'], { details: details('past_due') }),
    row('canceled at the provider at once', paid('autosync'), ['opens', 'closed', 'closed'], { details: details('canceled', { cancel_at: seconds(now + day) }) }),
    row('canceled at the provider for an end to come', paid('autosync'), ['opens', 'open', 'closed'], { details: details('canceled', { cancel_at_period_end: true, cancel_at: seconds(now + day) }) }),
    row('canceled at the provider for an end that is over', paid('tradecopier'), ['opens', 'closed', 'closed'], { details: details('canceled', { cancel_at_period_end: true, cancel_at: seconds(now - day) }) }),
    row('canceled at the provider for an end that nobody knows', paid('tradecopier'), ['opens', 'closed', 'closed'], { details: details('canceled', { cancel_at_period_end: true }) }),
    row('resumed at the provider after its end was kept', paid('autosync', { cancelAtPeriodEnd: true, currentPeriodEnd: over }), ['opens', 'open', 'closed'], { details: details('active') }),
    row('to end at the provider, and its period is over', paid('autosync', { currentPeriodEnd: over }), ['opens', 'closed', 'closed'], { details: details('active', { cancel_at_period_end: true }) }),
    row('past due at the provider, the admin', paid('autosync'), ['opens', 'open', 'open'], { details: details('past_due'), role: admin }),
  ]
}

/** Whether a gated page or call is open by both verdicts of a row. */
export const isOpen = ({ application, ...page }: PlanRow, requirement: 'autosync' | 'tradecopier'): boolean => (application === 'opens' || application === 'creates') && page[requirement] === 'open'
