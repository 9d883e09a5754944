import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { planTypes, plans, type Plan } from '#shared/plans/plan.ts'
import { answerApi, type ApiAnswer } from './api.ts'
import { openBooks, type Books } from './books.ts'
import { readForm } from './form.ts'
import { checkoutPage, portalPage, type PageAnswer } from './pages.ts'
import { openPost, type Post } from './post.ts'
import { newPrice } from './shapes.ts'

/** The version of the API whose shapes the stand-in speaks: that of the installed SDK. */
export const apiVersion: string = Stripe.API_VERSION

/** How the stand-in is down: its port is closed, or it answers with an error. */
export type Absence = 'refused' | 'failing'

/**
 * The payment provider as the cloud sees it, on loopback: the calls of the API that are used, in the shapes of the
 * pinned version; a checkout page and a customer portal for a browser; signed messages to the webhook. The clock is
 * the real one: where a test lets a period pass, the subscription is moved back in time instead.
 */
export type StripeStandIn = {
  readonly url: string
  /** The settings that lead a cloud here. */
  readonly env: Readonly<Record<string, string>>
  readonly webhookSecret: string
  readonly prices: Readonly<Record<Plan, string>>
  /** Customers, subscriptions, invoices by their ids, and what can happen to them: `announceEnd`, `resume`, `cancelNow`, `changePrice`, `passPeriod`, `charge`. Each publishes its messages. */
  readonly books: Books
  /** The messages: `sendTo` says where they go; `hold`, `release`, `deliver` and `settled` order them. */
  readonly post: Post
  /** Every call of the API so far, as `GET /v1/subscriptions`. */
  readonly asked: () => readonly string[]
  /** Presses a button of one of its pages as a browser does (`pay`, `decline`; `cancel <id>`, `keep <id>`, `pay <id>`, `confirm`), and gives where the browser is sent; null where it stays. */
  readonly press: (pageUrl: string, what: string) => Promise<string | null>
  /** Is away from now on, pages too, until `comeBack`. Messages are still sent. */
  readonly goAway: (how: Absence) => Promise<void>
  readonly comeBack: () => Promise<void>
  /** What an answer waits for on its way, once it was made: to hold one up while something else happens. */
  readonly delayAnswers: (wait: ((call: string) => Promise<void>) | null) => void
  readonly stop: () => Promise<void>
}

const secretKey = 'sk_test_stand_in'
const webhookSecret = 'whsec_stand_in'

/** Starts the stand-in on a free port of loopback. Whoever starts it stops it. */
export const startStripe = async (): Promise<StripeStandIn> => {
  const post = openPost(webhookSecret, apiVersion)
  const prices = Object.fromEntries(planTypes.map((plan) => [plan, `price_${plan.replaceAll('-', '_')}`])) as Record<Plan, string>
  const books = openBooks(new Map(planTypes.map((plan) => [prices[plan], newPrice(prices[plan], plans[plan].eurosPerMonth * 100)])), () => url, post.publish)
  const asked: string[] = []
  const answered = new Map<string, { readonly request: string; readonly answer: ApiAnswer }>()
  let absence: Absence | null = null
  let wait: ((call: string) => Promise<void>) | null = null

  const api = (request: IncomingMessage, path: string, query: string, body: string): ApiAnswer => {
    const method = request.method ?? ''
    asked.push(`${method} ${path}`)
    if (absence === 'failing') return { status: 503, json: { error: { type: 'api_error', message: 'Not at the moment' } } }
    if (request.headers.authorization !== `Bearer ${secretKey}`) return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
    if (request.headers['stripe-version'] !== apiVersion) return { status: 400, json: { error: { type: 'invalid_request_error', message: `This stand-in speaks ${apiVersion} only` } } }
    const answer = (): ApiAnswer => structuredClone(answerApi(books, () => url, { method, path, sent: readForm(method === 'GET' ? query : body) }))
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return answer()
    const before = answered.get(key)
    if (before !== undefined && before.request !== `${path} ${body}`) return { status: 400, json: { error: { type: 'idempotency_error', message: 'The same key with other parameters' } } }
    const given = before?.answer ?? answer()
    answered.set(key, { request: `${path} ${body}`, answer: given })
    return given
  }

  const show = (path: string, pressed: string | null): PageAnswer => {
    if (absence === 'failing') return { status: 503, html: '' }
    const [, kind, id = ''] = /^\/(pay|portal)\/([^/]+)$/.exec(path) ?? []
    if (kind === undefined) return { status: 404, html: '' }
    return kind === 'pay' ? checkoutPage(books, id, pressed) : portalPage(books, id, pressed)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    if (pathname.startsWith('/v1/')) {
      const { status, json } = api(request, pathname, searchParams.toString(), body)
      await wait?.(`${request.method ?? ''} ${pathname}`)
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${String(asked.length)}`, 'stripe-version': apiVersion }).end(JSON.stringify(json))
      return
    }
    const shown = show(pathname, request.method === 'POST' ? (new URLSearchParams(body).get('do') ?? '') : null)
    if ('goTo' in shown) response.writeHead(303, { location: shown.goTo }).end()
    else response.writeHead(shown.status, { 'content-type': 'text/html; charset=utf-8' }).end(shown.html)
  }

  const server = createServer((request, response) => void answer(request, response))
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${String(port)}`

  return {
    url,
    env: {
      FILLBOOK_CLOUD_STRIPE_API_URL: url,
      FILLBOOK_CLOUD_STRIPE_SECRET_KEY: secretKey,
      FILLBOOK_CLOUD_STRIPE_WEBHOOK_SECRET: webhookSecret,
      FILLBOOK_CLOUD_STRIPE_PRICE_AUTOSYNC: prices.autosync,
      FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER: prices.tradecopier,
      FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_MID: prices['tradecopier-mid'],
      FILLBOOK_CLOUD_STRIPE_PRICE_TRADECOPIER_ENTERPRISE: prices['tradecopier-enterprise'],
    },
    webhookSecret,
    prices,
    books,
    post,
    asked: () => [...asked],
    press: async (pageUrl, what) => {
      const response = await fetch(pageUrl, { method: 'POST', body: new URLSearchParams({ do: what }), redirect: 'manual' })
      await response.text()
      return response.headers.get('location')
    },
    goAway: async (how) => {
      absence = how
      if (how === 'refused') await close()
    },
    comeBack: async () => {
      if (!server.listening) await listen(port)
      absence = null
    },
    delayAnswers: (next) => void (wait = next),
    stop: async () => {
      await post.settled()
      await close()
    },
  }
}
