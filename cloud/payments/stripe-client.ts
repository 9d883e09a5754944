import Stripe from 'stripe'
import { refuse, type Refused } from '#shared/api/refused.ts'
import type { Log } from '#shared/base/log.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { PaymentSettings } from '../settings.ts'

const patienceMs = 10_000
const mostRetries = 2

/** A client of the payment provider; makes no request yet. Retries calls where that is safe. */
export const openStripe = ({ secretKey, apiUrl }: Pick<PaymentSettings, 'secretKey' | 'apiUrl'>): Stripe =>
  new Stripe(secretKey, { timeout: patienceMs, maxNetworkRetries: mostRetries, telemetry: false, ...(apiUrl === null ? {} : placeOf(apiUrl)) })

const placeOf = ({ protocol, hostname, port }: URL): { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: string } => {
  const secure = protocol === 'https:'
  return { protocol: secure ? 'https' : 'http', host: hostname, port: port === '' ? (secure ? '443' : '80') : port }
}

/** Whether the provider does not know the named object; `param` narrows it to the object in that parameter. */
export const isMissing = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing' && (param === undefined || error.param === param)

/** The result of a call to the provider: `payments-unreachable` if it is down or rejects the service itself; logs only the kind of error. */
export const asked = async <T>(log: Log, work: () => Promise<T>): Promise<Result<T, Refused>> => {
  try {
    return ok(await work())
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, statusCode = 0, requestId = '' } = error
    const away = statusCode === 0 || statusCode === 429 || statusCode >= 500
    // The provider's outages are its own matter; a rejection concerns the key, prices or this program, so the operator must act.
    log[away ? 'warn' : 'error']({ error, type, status: statusCode, requestId }, 'payment provider did not do what it was asked')
    return refuse('payments-unreachable')
  }
}

/** All subscriptions of a customer, ended ones too, with their latest invoices; none if the customer does not exist. */
export const subscriptionsOf = async (stripe: Stripe, customer: string): Promise<readonly Stripe.Subscription[]> => {
  try {
    return await stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand: ['data.latest_invoice'] }).autoPagingToArray({ limit: 1_000 })
  } catch (error) {
    if (isMissing(error, 'customer')) return []
    throw error
  }
}
