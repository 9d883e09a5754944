import type { z } from 'zod'
import { standardProgram } from '#shared/api/cloud.ts'
import { refuse, type Refused } from '#shared/api/refused.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { paymentBody, subscriptionRoutes } from '#shared/api/subscription.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Role } from '#shared/plans/checks.ts'
import { beginCheckout } from './checkout.ts'
import type { PaymentService } from './service.ts'
import { detailsOf, givesPlan, idOf } from './provider-subscription.ts'
import { asked, isMissing } from './stripe-client.ts'

type Answer = AnswerOf<typeof subscriptionRoutes.payments>
type Outcome = Promise<Result<Answer, Refused>>
/** A paying user, with the service's data on them. */
export type Payer = { readonly userId: string; readonly role: Role }

/** Answers the payment calls; null if nothing is sold. */
export const answerPayment = async (service: PaymentService | null, payer: Payer, body: z.output<typeof paymentBody>): Outcome => {
  if (service === null) return refuse('payments-not-configured')
  switch (body.action) {
    case 'create-checkout-session':
      return beginCheckout(service, { ...payer, plan: body.subscriptionType, returnTo: body.returnTo ?? `${standardProgram}/checkout/return` })
    case 'check-subscription':
      return checkSubscription(service, payer.userId, body.sessionId)
    case 'get-subscription-details':
      return readDetails(service, payer.userId, body.stripeCustomerId)
    case 'create-portal-session':
      return openPortal(service, payer.userId, body.returnTo)
  }
}

/** After the caller's checkout: returns the provider's state of the subscription and saves it, whether its webhook has arrived or not. */
const checkSubscription = async (service: PaymentService, userId: string, sessionId: string): Outcome => {
  const checkout = await asked(service.log, async () => {
    try {
      const { customer, metadata } = await service.stripe.checkout.sessions.retrieve(sessionId)
      return { customer: idOf(customer), of: metadata?.['userId'] }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  })
  if (!checkout.ok) return checkout
  const { customer, of } = checkout.value ?? {}
  if (customer === undefined || customer === null || of !== userId) return refuse('unknown-checkout')
  const current = await asked(service.log, () => service.catchUp(customer, { userId, eventId: null }))
  if (!current.ok) return current
  if (current.value === null) return ok({ active: false, subscriptionType: null, stripeCustomerId: customer })
  return ok({ active: givesPlan(current.value, service.now()), subscriptionType: current.value.plan, stripeCustomerId: idOf(current.value.subscription.customer) })
}

const readDetails = async (service: PaymentService, userId: string, customer: string): Outcome => {
  if (!(await service.customersOf(userId)).includes(customer)) return refuse('not-this-user')
  const current = await asked(service.log, () => service.standingOf(userId, [customer]))
  if (!current.ok) return current
  return current.value === null ? refuse('not-found') : ok({ success: true, subscription: detailsOf(current.value) })
}

const openPortal = async (service: PaymentService, userId: string, returnTo: string | undefined): Outcome => {
  const [customer] = await service.customersOf(userId)
  if (customer === undefined) return refuse('not-found')
  const url = await asked(service.log, async () => {
    try {
      return (await service.stripe.billingPortal.sessions.create({ customer, ...(returnTo === undefined ? {} : { return_url: returnTo }) })).url
    } catch (error) {
      if (isMissing(error, 'customer')) return null
      throw error
    }
  })
  if (!url.ok) return url
  return url.value === null ? refuse('not-found') : ok({ url: url.value })
}
