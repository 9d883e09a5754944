import { useSession } from '#renderer/lib/session.ts'
import type { Standing } from '#renderer/lib/standing.ts'
import { useStanding } from '#renderer/lib/use-standing.ts'
import { CheckFailure } from '#renderer/ui/check-failure.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { holdingPlan, offerOf } from '#shared/plans/offer.ts'
import { planTypes } from '#shared/plans/plan.ts'
import { useTranslation } from 'react-i18next'
import { CurrentPlan } from './current-plan.tsx'
import { PlanCard } from './plan-card.tsx'
import { ReturnNotice } from './return-notice.tsx'
import { useCheckout } from './use-checkout.ts'
import { usePaymentReturn } from './use-payment-return.ts'

/** The plans, which one the user has, and buttons to buy, change and manage them; also the page that a checkout returns to. */
export const ManageSubscriptionPage = () => {
  const { t } = useTranslation('plans')
  const { standing, failure, retry } = useStanding({ watch: true })
  const { outcome, look } = usePaymentReturn()
  return (
    <Page title={t('title')}>
      <div className="mx-auto flex max-w-6xl flex-col gap-3.5">
        <ReturnNotice outcome={outcome} onLook={look} />
        {failure !== null ? <CheckFailure text={failure} onRetry={retry} /> : standing === null ? <Loading /> : <Plans standing={standing} />}
      </div>
    </Page>
  )
}

const Plans = ({ standing }: { standing: Standing }) => {
  const { t } = useTranslation('plans')
  const { session } = useSession()
  const { open, busy, opened, failure } = useCheckout()
  const holding = holdingPlan(standing.subscription, standing.details, Date.now())
  const offers = planTypes.map((plan) => ({ plan, offer: offerOf(plan, { role: standing.role, holding }) }))
  // An operator without a cloud has no one to buy from.
  if (session?.demo === false && session.cloud === 'this-computer-only' && standing.role.admin) return <Notice>{t('no-cloud')}</Notice>
  const changes = holding !== null && offers.some(({ offer }) => offer === 'subscribe')
  return (
    <>
      {session?.demo === true && <Notice>{t('demo')}</Notice>}
      {opened && <Notice>{t('elsewhere')}</Notice>}
      {failure !== null && (
        <Notice tone="error">
          <p className="text-loss">{failure.text}</p>
          {failure.advice !== null && <p>{failure.advice}</p>}
        </Notice>
      )}
      <CurrentPlan standing={standing} opening={busy === 'portal'} held={busy !== null} onPortal={() => { open('portal') }} />
      <div className="grid grid-cols-4 gap-3.5 max-xl:grid-cols-2">
        {offers.map(({ plan, offer }) => (
          <PlanCard key={plan} plan={plan} offer={offer} processing={busy === plan} held={busy !== null} onSubscribe={() => { open(plan) }} />
        ))}
      </div>
      {changes && <p className="text-sm text-faint">{t('change-text')}</p>}
    </>
  )
}

const Loading = () => {
  const { t } = useTranslation('ui')
  return (
    <>
      <span role="status" className="sr-only">
        {t('loading')}
      </span>
      <Skeleton className="h-26 w-full rounded-lg" />
      <div className="grid grid-cols-4 gap-3.5 max-xl:grid-cols-2">
        {planTypes.map((plan) => (
          <Skeleton key={plan} className="h-72 rounded-lg" />
        ))}
      </div>
    </>
  )
}
