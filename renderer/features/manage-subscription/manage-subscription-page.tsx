import { classNames } from '#renderer/lib/class-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import type { Standing } from '#renderer/lib/standing.ts'
import { useStanding } from '#renderer/lib/use-standing.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CheckFailure } from '#renderer/ui/check-failure.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { PlanFacts } from '#renderer/ui/plan-facts.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { holdingPlan, type Offer, offerOf } from '#shared/plans/offer.ts'
import { type Plan, planTypes } from '#shared/plans/plan.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CurrentPlan } from './current-plan.tsx'
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

/** A plan with its price, its contents and its button; `processing` while its checkout opens, `held` while another one does. */
const PlanCard = ({ plan, offer, processing, held, onSubscribe }: { plan: Plan; offer: Offer; processing: boolean; held: boolean; onSubscribe: () => void }) => {
  const { t } = useTranslation('plans')
  const name = useId()
  const current = offer === 'current'
  return (
    <section aria-labelledby={name} className={classNames('flex flex-col gap-3.5 rounded-lg border bg-surface p-5', current ? 'border-accent' : 'border-line')}>
      <PlanFacts plan={plan} id={name} />
      <Button
        size="lg"
        variant={offer === 'subscribe' ? 'default' : 'secondary'}
        className="mt-auto w-full"
        disabled={offer !== 'subscribe' || held}
        busy={processing}
        onClick={onSubscribe}
      >
        {processing ? t('processing') : <ButtonText plan={plan} offer={offer} />}
      </Button>
    </section>
  )
}

const ButtonText = ({ plan, offer }: { plan: Plan; offer: Offer }) => {
  const { t } = useTranslation('plans')
  switch (offer) {
    case 'subscribe':
      return t(`subscribe.${plan}`)
    case 'current':
      return t('current')
    case 'included':
      return t('included')
    case 'not-sold':
      return t('not-sold')
  }
}
