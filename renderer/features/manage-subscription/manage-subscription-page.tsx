import { ApiFailure, callApi } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { leavesThisWindow, openElsewhere } from '#renderer/lib/open-elsewhere.ts'
import { useSession } from '#renderer/lib/session.ts'
import type { Entitlement } from '#renderer/lib/entitlement.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useEntitlement } from '#renderer/lib/use-entitlement.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CheckFailure } from '#renderer/ui/check-failure.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { PlanFacts } from '#renderer/ui/plan-facts.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import type { BodyGiven } from '#shared/api/route.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import { holdingPlan, type Offer, offerOf } from '#shared/plans/offer.ts'
import { type Plan, planTypes } from '#shared/plans/plan.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CurrentPlan } from './current-plan.tsx'
import { ReturnNotice } from './return-notice.tsx'
import { usePaymentReturn } from './use-payment-return.ts'

/** The plans, which one the user has, and buttons to buy, change and manage them; also the page that a checkout returns to. */
export const ManageSubscriptionPage = () => {
  const { t } = useTranslation('plans')
  const { entitlement, failure, retry } = useEntitlement({ watch: true })
  const { outcome, look } = usePaymentReturn()
  return (
    <Page title={t('title')}>
      <div className="mx-auto flex max-w-6xl flex-col gap-3.5">
        <ReturnNotice outcome={outcome} onLook={look} />
        {failure !== null ? <CheckFailure text={failure} onRetry={retry} /> : entitlement === null ? <Loading /> : <Plans entitlement={entitlement} />}
      </div>
    </Page>
  )
}

const Plans = ({ entitlement }: { entitlement: Entitlement }) => {
  const { t } = useTranslation('plans')
  const { session } = useSession()
  const { open, busy, opened, failure } = useCheckout()
  const holding = holdingPlan(entitlement.subscription, entitlement.details, Date.now())
  const offers = planTypes.map((plan) => ({ plan, offer: offerOf(plan, { role: entitlement.role, holding }) }))
  // An operator without a cloud has no one to buy from.
  if (session?.demo === false && session.cloud === 'this-computer-only' && entitlement.role.admin) return <Notice>{t('no-cloud')}</Notice>
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
      <CurrentPlan entitlement={entitlement} opening={busy === 'portal'} held={busy !== null} onPortal={() => { open('portal') }} />
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

const { payments } = subscriptionRoutes

/** A page of the payment provider: the checkout of a plan, or the one for invoices and cards. */
type PaymentPage = Plan | 'portal'

/** Why a page could not be opened: the product's text, and a remedy if known. */
type CheckoutFailure = { readonly text: string; readonly advice: string | null }

/** A refusal by this page itself, with its display text. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Opens a page of the payment provider; `busy` is the one being opened. */
const useCheckout = (): { readonly open: (page: PaymentPage) => void; readonly busy: PaymentPage | null; readonly opened: boolean; readonly failure: CheckoutFailure | null } => {
  const { t } = useTranslation('plans')
  const words = useProblemText()
  const { currentUser } = useSession()
  const { mutate, reset, variables, isPending, isSuccess, error } = useMutation({
    mutationFn: async (page: PaymentPage) => {
      if (currentUser === null) throw new Refusal(t('not-authenticated'))
      const answer = await callApi(payments, { body: bodyOf(page, currentUser.uid) })
      if (!('url' in answer) || answer.url === '') throw new Refusal(t('no-address'))
      openElsewhere(answer.url)
    },
  })
  useEffect(() => {
    // Going back in the browser may restore this page as it was, with its button still waiting.
    const comeBack = (event: PageTransitionEvent): void => {
      if (event.persisted) reset()
    }
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('pageshow', comeBack)
    }
  }, [reset])
  // The page opened beside this window is done.
  usePushed('came-back', reset)

  const failureOf = (thrown: Error): CheckoutFailure => {
    if (thrown instanceof Refusal) return { text: thrown.message, advice: null }
    const isKnown = thrown instanceof ApiFailure && thrown.problem !== null
    return { text: isKnown ? thrown.message : t('could-not-start'), advice: words(thrown) }
  }
  // If this window itself navigates away, the button stays busy until the window is gone.
  const leaving = isSuccess && leavesThisWindow
  return {
    open: mutate,
    busy: isPending || leaving ? variables : null,
    opened: isSuccess && !leaving,
    failure: error === null ? null : failureOf(error),
  }
}

const bodyOf = (page: PaymentPage, userId: string): BodyGiven<typeof payments> =>
  page === 'portal' ? { userId, action: 'create-portal-session' } : { userId, action: 'create-checkout-session', subscriptionType: page }
