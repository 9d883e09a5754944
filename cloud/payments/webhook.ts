import express from 'express'
import type { Express, Request, RequestHandler, Response } from 'express'
import Stripe from 'stripe'
import { z } from 'zod'
import { webhookPath } from '#shared/api/cloud.ts'
import { identifier } from '#shared/api/fields.ts'
import { refuse } from '../http/refuse.ts'
import { AccountDeleted } from '../store/owner.ts'
import type { PaymentService } from './service.ts'
import { idOf } from './provider-subscription.ts'
import { asked } from './stripe-client.ts'

const largestMessage = '1mb'
const retryAfterMs = 5_000

/** The customer of a relevant event; null for every other event. */
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

/** The fields of an event that are used here. */
const message = z.looseObject({
  id: identifier,
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({ customer: z.union([identifier, z.looseObject({ id: identifier })]).nullish() }) }),
})

/** The event, if the provider signed exactly these bytes recently and they parse. */
const readMessage = async ({ stripe, settings }: PaymentService, request: Request): Promise<Stripe.Event | null> => {
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
 * Handles an event: it only signals a change, and the current state is fetched. So the number and order of events do
 * not matter. Any failure makes the provider send it again.
 */
const handleEvent = async (service: PaymentService, event: Stripe.Event): Promise<boolean> => {
  const customer = customerIn(event)
  if (customer === null || (await service.payments.isDone(event.id))) return true
  try {
    return (await asked(service.log, () => service.catchUp(customer, { userId: null, eventId: event.id }))).ok
  } catch (error) {
    if (!(error instanceof AccountDeleted)) throw error
    // Invisible in the app, yet charged every month: the operator must refund and cancel it.
    if (takesMoney.includes(event.type)) service.log.error({ event: event.id }, 'money was taken for a deleted account')
    return true
  }
}

/** Mounts the webhook on Express, before any JSON parser: the signature is over the bytes. `wrongSignature` counts rejected ones. */
export const mountWebhook = (app: Express, service: PaymentService | null, wrongSignature: RequestHandler): void => {
  const answer = async (request: Request, response: Response, next: () => void): Promise<void> => {
    if (service === null) return refuse(response, { code: 'payments-not-configured' })
    const event = await readMessage(service, request)
    if (event === null) return next()
    if (await handleEvent(service, event)) response.json({ received: true })
    else refuse(response, { code: 'payments-unreachable', retryAfterMs }, 503)
  }
  app.post(webhookPath, express.raw({ type: () => true, limit: largestMessage }), answer, wrongSignature, (_request, response) => refuse(response, { code: 'wrong-signature' }))
}
