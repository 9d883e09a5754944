import type { Entitlement } from '#renderer/lib/entitlement.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortMoment } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { localDate } from '#shared/market/zone-clock.ts'
import { holdingPlan } from '#shared/plans/offer.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { effectiveAt } from '#shared/plans/subscription.ts'
import { CreditCard } from 'lucide-react'
import { useTranslation } from 'react-i18next'

// The program checks every hour; an older answer means that it could not.
const oldAfterMs = 2 * 3_600_000

/** The current plan, until when it runs, and a link to invoices and cards if the payment provider knows the user. */
export const CurrentPlan = ({ entitlement, opening, held, onPortal }: { entitlement: Entitlement; opening: boolean; held: boolean; onPortal: () => void }) => {
  const { t } = useTranslation('plans')
  const shortMoment = useShortMoment()
  const state = planStateOf(entitlement, Date.now())
  const { verifiedAt, subscription, role } = entitlement
  const old = verifiedAt !== null && Date.now() - Date.parse(verifiedAt) > oldAfterMs
  const plan = state.kind === 'none' ? null : state.plan
  return (
    <Card title={t('your-plan')}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5">
        <div className="min-w-0 grow">
          {plan !== null && <p className="text-title font-semibold">{t(`plan.${plan}`)}</p>}
          <StateLine state={state} />
          {role.admin && <p className="text-muted">{t('state.admin')}</p>}
          {old && <p className="text-warn">{t('older', { time: shortMoment(verifiedAt) })}</p>}
        </div>
        {subscription?.stripeCustomerId !== undefined && (
          <Button variant="outline" busy={opening} disabled={held} onClick={onPortal}>
            {!opening && <CreditCard aria-hidden />}
            {opening ? t('processing') : t('portal')}
          </Button>
        )}
      </div>
    </Card>
  )
}

const StateLine = ({ state }: { state: PlanState }) => {
  const { t } = useTranslation('plans')
  const format = useFormat()
  const zone = useSession().session?.timeZone ?? 'UTC'
  switch (state.kind) {
    case 'renews':
    case 'ends':
      if (state.at === null) return <p className="text-muted">{t('state.running')}</p>
      return <p className={state.kind === 'ends' ? 'text-warn' : 'text-muted'}>{t(`state.${state.kind}`, { date: format.fullDay(localDate(Date.parse(state.at), zone)) })}</p>
    case 'unpaid':
      return <p className="text-loss">{t('state.unpaid')}</p>
    case 'ended':
      return <p className="text-warn">{t('state.ended')}</p>
    case 'none':
      return <p className="text-muted">{t('state.none')}</p>
  }
}

/** The state of a user's plan, and until when; `at` is ISO 8601, null if unknown. */
type PlanState =
  | { readonly kind: 'renews' | 'ends'; readonly plan: Plan; readonly at: string | null }
  | { readonly kind: 'unpaid' | 'ended'; readonly plan: Plan | null }
  | { readonly kind: 'none' }

/** The state of a plan at `now` (UTC ms), from a standing. */
export const planStateOf = ({ subscription, details }: Entitlement, now: number): PlanState => {
  if (subscription === null) return { kind: 'none' }
  const plan = holdingPlan(subscription, details, now)
  const effective = effectiveAt(subscription, details, now)
  if (plan !== null) {
    const cancelAt = details?.cancel_at ?? null
    const end = effective.currentPeriodEnd ?? null
    if (effective.cancelAtPeriodEnd !== true) return { kind: 'renews', plan, at: end }
    return { kind: 'ends', plan, at: cancelAt === null ? end : new Date(cancelAt * 1_000).toISOString() }
  }
  const last = effective.subscriptionType ?? null
  const owes = effective.paymentStatus !== 'paid' || details?.status === 'past_due'
  if (effective.hasSubscription === true && owes) return { kind: 'unpaid', plan: last }
  return last === null ? { kind: 'none' } : { kind: 'ended', plan: last }
}
