import { ApiFailure, callApi } from '#renderer/lib/api.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { leavesThisWindow, openElsewhere } from '#renderer/lib/open-elsewhere.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

const { payments } = subscriptionRoutes

/** A page of the payment provider: the checkout of a plan, or the one for invoices and cards. */
export type PaymentPage = Plan | 'portal'

/** Why a page could not be opened: the product's text, and a remedy if known. */
export type CheckoutFailure = { readonly text: string; readonly advice: string | null }

/** A refusal by this page itself, with its display text. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Opens a page of the payment provider; `busy` is the one being opened. */
export const useCheckout = (): { readonly open: (page: PaymentPage) => void; readonly busy: PaymentPage | null; readonly opened: boolean; readonly failure: CheckoutFailure | null } => {
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
