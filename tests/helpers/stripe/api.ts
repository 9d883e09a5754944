import type Stripe from 'stripe'
import { z } from 'zod'
import type { Books } from './books.ts'

/** An answer of the API. */
export type ApiAnswer = { readonly status: number; readonly json: object }

/** One call of the API, its form or query read. */
export type ApiCall = { readonly method: string; readonly path: string; readonly sent: unknown }

const metadata = z.record(z.string(), z.string()).default({})
const url = z.url()
// Strict, as the provider is: a parameter that it does not know is refused.
const bodies = {
  customer: z.strictObject({ metadata, email: z.email().optional() }),
  checkout: z.strictObject({
    mode: z.literal('subscription'),
    customer: z.string(),
    client_reference_id: z.string().max(200).optional(),
    line_items: z.tuple([z.strictObject({ price: z.string(), quantity: z.literal('1') })]),
    metadata,
    subscription_data: z.strictObject({ metadata }).optional(),
    success_url: url,
    cancel_url: url.optional(),
  }),
  checkouts: z.strictObject({ customer: z.string(), status: z.enum(['open', 'complete', 'expired']).optional(), limit: z.coerce.number().max(100).default(10), starting_after: z.string().optional() }),
  expire: z.strictObject({}),
  retrieve: z.strictObject({}),
  subscriptions: z.strictObject({
    customer: z.string(),
    status: z.enum(['all', 'active']).default('active'),
    expand: z.array(z.literal('data.latest_invoice')).default([]),
    limit: z.coerce.number().max(100).default(10),
    starting_after: z.string().optional(),
  }),
  portal: z.strictObject({
    customer: z.string(),
    return_url: url.optional(),
    flow_data: z
      .strictObject({
        type: z.literal('subscription_update_confirm'),
        subscription_update_confirm: z.strictObject({ subscription: z.string(), items: z.tuple([z.strictObject({ id: z.string(), price: z.string(), quantity: z.literal('1') })]) }),
        after_completion: z.strictObject({ type: z.literal('redirect'), redirect: z.strictObject({ return_url: url }) }),
      })
      .optional(),
  }),
}

const problem = (status: number, error: { code?: string; param?: string; message: string }): ApiAnswer => ({ status, json: { error: { type: 'invalid_request_error', ...error } } })
const missing = (kind: string, id: string, param: string, status = 400): ApiAnswer => problem(status, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` })
const good = (json: object): ApiAnswer => ({ status: 200, json })

/** Answers the calls that the cloud makes, in the shapes and with the errors of the pinned version. */
export const answerApi = (books: Books, pages: () => string, { method, path, sent }: ApiCall): ApiAnswer => {
  const read = <T extends z.ZodType>(schema: T, then: (body: z.output<T>) => ApiAnswer): ApiAnswer => {
    const body = schema.safeParse(sent)
    if (body.success) return then(body.data)
    const [issue] = body.error.issues
    const param = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.')
    return problem(400, { code: issue?.code === 'unrecognized_keys' ? 'parameter_unknown' : 'parameter_invalid', param, message: `Wrong parameter: ${param}` })
  }
  const ofCustomer = (id: string, then: () => ApiAnswer): ApiAnswer => (books.customers.has(id) ? then() : missing('customer', id, 'customer'))
  const page = <T extends { readonly id: string }>(all: readonly T[], limit: number, after: string | undefined, show: (one: T) => object = (one) => one): ApiAnswer => {
    const newestFirst = all.toReversed()
    const rest = newestFirst.slice(after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1)
    return good({ object: 'list', data: rest.slice(0, limit).map(show), has_more: rest.length > limit, url: path })
  }
  const withInvoice = (subscription: Stripe.Subscription): Stripe.Subscription => ({ ...subscription, latest_invoice: books.invoices.get(String(subscription.latest_invoice)) ?? null })

  const [, id, action] = /^\/v1\/checkout\/sessions\/([^/]+)(?:\/(expire))?$/.exec(path) ?? []
  if (id !== undefined) {
    const checkout = books.checkouts.get(id)
    if (checkout === undefined) return missing('checkout.session', id, 'session', 404)
    if (action === undefined && method === 'GET') return read(bodies.retrieve, () => good(checkout))
    return read(bodies.expire, () => {
      if (checkout.status !== 'open') return problem(400, { message: 'Only open checkouts can be expired' })
      books.expire(checkout)
      return good(checkout)
    })
  }

  switch (`${method} ${path}`) {
    case 'POST /v1/customers':
      return read(bodies.customer, (body) => good(books.addCustomer(body.metadata)))
    case 'GET /v1/subscriptions':
      return read(bodies.subscriptions, (query) =>
        ofCustomer(query.customer, () => {
          const all = [...books.subscriptions.values()].filter(({ customer, status }) => customer === query.customer && (query.status === 'all' || status !== 'canceled'))
          return page(all, query.limit, query.starting_after, (one) => (query.expand.length > 0 ? withInvoice(one) : one))
        }),
      )
    case 'GET /v1/checkout/sessions':
      return read(bodies.checkouts, (query) =>
        ofCustomer(query.customer, () => page([...books.checkouts.values()].filter(({ customer, status }) => customer === query.customer && (query.status === undefined || status === query.status)), query.limit, query.starting_after)),
      )
    case 'POST /v1/checkout/sessions':
      return read(bodies.checkout, (body) =>
        ofCustomer(body.customer, () => {
          const [line] = body.line_items
          const price = books.prices.get(line.price)
          if (price === undefined) return missing('price', line.price, 'line_items[0][price]')
          const { customer, client_reference_id: reference = null, success_url: successUrl, cancel_url: cancelUrl = null } = body
          return good(books.addCheckout({ customer, reference, price, metadata: body.metadata, subscriptionMetadata: body.subscription_data?.metadata ?? {}, successUrl, cancelUrl }))
        }),
      )
    case 'POST /v1/billing_portal/sessions':
      return read(bodies.portal, (body) => ofCustomer(body.customer, () => openPortal(books, pages, body)))
    default:
      return problem(404, { message: `Unrecognized request URL (${method}: ${path})` })
  }
}

const openPortal = (books: Books, pages: () => string, { customer, return_url, flow_data: flow }: z.output<typeof bodies.portal>): ApiAnswer => {
  const returnUrl = return_url ?? null
  const change = flow?.subscription_update_confirm
  const item = change?.items[0]
  if (change !== undefined && item !== undefined) {
    const subscription = books.subscriptions.get(change.subscription)
    if (subscription?.customer !== customer) return missing('subscription', change.subscription, 'flow_data[subscription_update_confirm][subscription]')
    if (!books.prices.has(item.price)) return missing('price', item.price, 'flow_data[subscription_update_confirm][items][0][price]')
    const [now] = subscription.items.data
    if (now?.id !== item.id || subscription.status === 'canceled') return problem(400, { message: 'This subscription can not be updated so' })
    if (now.price.id === item.price) return problem(400, { message: 'There are no changes to confirm' })
  }
  const confirm = change === undefined || item === undefined ? null : { subscription: change.subscription, item: item.id, price: item.price, doneUrl: flow?.after_completion.redirect.return_url ?? '' }
  const { id } = books.addPortal({ customer, returnUrl, confirm })
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_standard',
    created: Math.floor(Date.now() / 1_000),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${pages()}/portal/${id}`,
  }
  return good(session)
}
