import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import type { Publish } from './books.ts'

/** A message of the payment provider, and its deliveries. */
export type Message = {
  readonly id: string
  readonly type: string
  /** The bytes that are signed and sent. */
  readonly payload: string
  /** The status of each delivery so far; 0 without an answer. */
  readonly statuses: number[]
}

/** How a message is delivered where not as usual; `timestamp` is Unix seconds. */
export type Delivery = { readonly to?: string; readonly secret?: string; readonly timestamp?: number; readonly payload?: string }

/** Sends what happens to the webhook, signed as the provider signs. */
export type Post = {
  readonly publish: Publish
  /** The address for messages from now on; without one they wait. */
  readonly sendTo: (webhook: string) => void
  /** Keeps messages back from now on. */
  readonly hold: () => void
  /** Sends all that was not taken with a 2xx yet, the oldest first, and from now on each as it comes. */
  readonly release: () => Promise<void>
  /** Every message so far, the oldest first; those of one type where it is named. */
  readonly messages: (type?: string) => readonly Message[]
  /** Sends a message, again or for the first time, and returns the status of the answer; 0 without one. */
  readonly deliver: (message: Message, how?: Delivery) => Promise<number>
  /** Sends several, one after another, and gives the statuses. */
  readonly deliverAll: (several: readonly Message[]) => Promise<readonly number[]>
  /** When all that is on its way has been answered. */
  readonly settled: () => Promise<void>
}

/** Signs with the secret and sends with the version of the API. */
export const openPost = (secret: string, apiVersion: string): Post => {
  const { webhooks } = new Stripe('sk_test_signs_only')
  const messages: Message[] = []
  const mark = randomBytes(4).toString('hex')
  let webhook: string | null = null
  let held = false
  let underWay: Promise<unknown> = Promise.resolve()

  const deliver: Post['deliver'] = async (message, how = {}) => {
    const to = how.to ?? webhook
    if (to === null) throw new Error('Nobody said where messages go')
    const payload = how.payload ?? message.payload
    const signature = webhooks.generateTestHeaderString({ payload: message.payload, secret: how.secret ?? secret, ...(how.timestamp === undefined ? {} : { timestamp: how.timestamp }) })
    const status = await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }, body: payload }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
    message.statuses.push(status)
    return status
  }
  const isTaken = ({ statuses }: Message): boolean => statuses.some((status) => status >= 200 && status < 300)

  return {
    publish: (type, object) => {
      const id = `evt_${mark}${String(messages.length + 1).padStart(4, '0')}`
      const event = { id, object: 'event', api_version: apiVersion, created: Math.floor(Date.now() / 1_000), data: { object }, livemode: false, pending_webhooks: 1, request: { id: null, idempotency_key: null }, type }
      const message: Message = { id, type, payload: JSON.stringify(event), statuses: [] }
      messages.push(message)
      if (!held && webhook !== null) underWay = Promise.all([underWay, deliver(message)])
    },
    sendTo: (next) => void (webhook = next),
    hold: () => void (held = true),
    release: async () => {
      held = false
      for (const message of messages.filter((one) => !isTaken(one))) await deliver(message)
    },
    messages: (type) => messages.filter((one) => type === undefined || one.type === type),
    deliver,
    deliverAll: async (several) => {
      const statuses: number[] = []
      for (const message of several) statuses.push(await deliver(message))
      return statuses
    },
    settled: async () => void (await underWay),
  }
}
