import express from 'express'
import type { Express, Request, RequestHandler, Response } from 'express'
import Stripe from 'stripe'
import { z } from 'zod'
import { webhookPath } from '#shared/api/cloud.ts'
import { identifier } from '#shared/api/fields.ts'
import { refuse } from '../http/refuse.ts'
import { AccountDeleted } from '../store/owner.ts'
import type { PaymentDesk } from './desk.ts'
import { idOf } from './standing.ts'
import { asked } from './stripe-client.ts'

const largestMessage = '1mb'
const retryAfterMs = 5_000

/** Of which customer a message tells something that counts; null for every other message. */
const customerIn = (event: Stripe.Event): string | null => {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return idOf(event.data.object.customer)
    default:
      return null
  }
}

const takesMoney: readonly Stripe.Event['type'][] = ['checkout.session.completed', 'invoice.paid']

/** As much of a message as is read here. */
const message = z.looseObject({
  id: identifier,
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({ customer: z.union([identifier, z.looseObject({ id: identifier })]).nullish() }) }),
})

/** The message, if the provider signed these very bytes not long ago, and they are one. */
const readMessage = async ({ stripe, settings }: PaymentDesk, request: Request): Promise<Stripe.Event | null> => {
  const [payload, signature]: [unknown, unknown] = [request.body, request.headers['stripe-signature']]
  if (!(payload instanceof Uint8Array) || typeof signature !== 'string') return null
  try {
    const event = await stripe.webhooks.constructEventAsync(payload, signature, settings.webhookSecret)
    return message.safeParse(event).success ? event : null
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * Deals with a message: it only says that something changed, and what holds is asked for. So it does not matter how often
 * messages come, and in which order. Whatever goes wrong is answered so that the provider sends it again.
 */
const hear = async (desk: PaymentDesk, event: Stripe.Event): Promise<boolean> => {
  const customer = customerIn(event)
  if (customer === null || (await desk.payments.isDone(event.id))) return true
  try {
    return (await asked(desk.log, () => desk.catchUp(customer, { userId: null, eventId: event.id }))).ok
  } catch (error) {
    if (!(error instanceof AccountDeleted)) throw error
    // Invisible in the app, yet charged every month: the operator must refund and cancel it.
    if (takesMoney.includes(event.type)) desk.log.error({ event: event.id }, 'money was taken for a deleted account')
    return true
  }
}

/** Puts the webhook on Express, before anything that reads bodies as JSON: the signature is over the bytes. `wrongSignature` counts those that it refuses. */
export const mountWebhook = (app: Express, desk: PaymentDesk | null, wrongSignature: RequestHandler): void => {
  const answer = async (request: Request, response: Response, next: () => void): Promise<void> => {
    if (desk === null) return refuse(response, { code: 'payments-not-configured' })
    const event = await readMessage(desk, request)
    if (event === null) return next()
    if (await hear(desk, event)) response.json({ received: true })
    else refuse(response, { code: 'payments-unreachable', retryAfterMs }, 503)
  }
  app.post(webhookPath, express.raw({ type: () => true, limit: largestMessage }), answer, wrongSignature, (_request, response) => refuse(response, { code: 'wrong-signature' }))
}
