import { z } from 'zod'
import { fitToShow } from '#shared/base/fit-to-show.ts'
import type { Exchange } from '../exchange.ts'
import type { ChangeOutcome, OrderChange, OrderToPlace, OtherLeg, PairOutcome, PlaceOutcome } from './live.ts'
import type { Ask } from './socket.ts'
import { judge } from './ask.ts'

const mostTickets = 200

/**
 * One request, whatever it does: the answer's kind as for any order call, with what a failure says of token, host and
 * session beside it, for callers that can act on those.
 */
export type OrderReply<T> = {
  readonly outcome: T
  /** `token`: expired or not permitted; `host`: redirected; neither was done. `session`: looks like a session closed by newer ones. */
  readonly about: 'token' | 'host' | 'session' | null
}

/** An open socket's requests, and its token, which must never appear in text. */
export type OrderRoute = { readonly ask: Ask; readonly token: string }

const refusal = z.object({ failureReason: z.string(), failureText: z.string().nullish() })
const placed = z.object({ orderId: z.int().positive() })
const placedPair = placed.extend({ ocoId: z.int().positive() })
const changed = z.object({ commandId: z.int().positive() })

type Failure = Exclude<PlaceOutcome, { kind: 'accepted' }>

const lost: OrderReply<Failure> = { outcome: { kind: 'lost', reached: true }, about: null }

/** The meaning of a failed answer. An uncertain one is lost and must be looked up. */
const failureIn = (answer: Exchange, secrets: readonly string[], keepTicket: (ticket: string) => void): OrderReply<Failure> => {
  if (answer.kind === 'lost') return { outcome: { kind: 'lost', reached: answer.reached }, about: null }
  const refused = answer.kind === 'json' && answer.status < 400 ? refusal.safeParse(answer.value).data : undefined
  if (refused !== undefined && refused.failureReason !== 'Success') {
    return { outcome: { kind: 'refused', reason: fitToShow(refused.failureReason, secrets), text: fitToShow(refused.failureText ?? '', secrets) }, about: null }
  }
  const verdict = judge(answer, secrets)
  switch (verdict.kind) {
    case 'good':
      return lost
    case 'ticket':
      keepTicket(verdict.ticket)
      return { outcome: { kind: 'not-now', why: 'penalty', waitMs: verdict.waitMs }, about: null }
    case 'denied':
      return { outcome: { kind: 'denied', failure: { kind: 'permission-missing' } }, about: 'token' }
    case 'moved':
      return { outcome: { kind: 'denied', failure: { kind: 'wrong-host' } }, about: 'host' }
    case 'failed': {
      const { failure } = verdict
      if (failure.kind === 'rate-limited') return { outcome: { kind: 'not-now', why: 'rate-limited', waitMs: failure.waitMs }, about: verdict.suspect ? 'session' : null }
      if (failure.kind === 'captcha') return { outcome: { kind: 'not-now', why: 'captcha', waitMs: failure.waitMs }, about: null }
      if (verdict.maybeDone) return { ...lost, about: verdict.suspect ? 'session' : null }
      if (failure.kind === 'refused-by-broker') return { outcome: { kind: 'refused', reason: 'UnknownReason', text: failure.detail }, about: null }
      return { outcome: { kind: 'refused', reason: failure.kind === 'not-found' ? 'NotFound' : 'UnknownReason', text: '' }, about: null }
    }
  }
}

/** The order calls of one line. A penalty ticket is sent with the next request for the same account, contract and side, or for the same order; a caller that retries chooses another id. */
export const createOrderWire = () => {
  const tickets = new Map<string, string>()

  const keepTicket = (about: string, ticket: string): void => {
    const [oldest] = tickets.keys()
    if (tickets.size >= mostTickets && oldest !== undefined) tickets.delete(oldest)
    tickets.set(about, ticket)
  }

  const send = ({ ask }: OrderRoute, endpoint: string, about: string, fields: object, onWire?: (at: number) => void): Promise<Exchange> => {
    const ticket = tickets.get(about)
    if (ticket !== undefined) tickets.delete(about)
    return ask(endpoint, JSON.stringify(ticket === undefined ? fields : { ...fields, 'p-ticket': ticket }), onWire)
  }

  const change = async (route: OrderRoute, endpoint: string, fields: { readonly orderId: number } & Readonly<Record<string, unknown>>): Promise<OrderReply<ChangeOutcome>> => {
    const about = `${endpoint} ${String(fields.orderId)}`
    const answer = await send(route, endpoint, about, fields)
    if (answer.kind === 'json' && answer.status === 200 && changed.safeParse(answer.value).success) return { outcome: { kind: 'accepted' }, about: null }
    return failureIn(answer, [route.token], (ticket) => { keepTicket(about, ticket) })
  }

  const doneBy = <T extends object>(schema: z.core.$ZodType<T>, answer: Exchange, { token }: OrderRoute, about: string): OrderReply<({ readonly kind: 'accepted' } & T) | Failure> => {
    const failed = failureIn(answer, [token], (ticket) => { keepTicket(about, ticket) })
    // An id means success unless the answer also has a failure.
    const done = failed.outcome.kind === 'lost' && answer.kind === 'json' && answer.status === 200 ? z.safeParse(schema, answer.value).data : undefined
    return done === undefined ? failed : { outcome: { kind: 'accepted', ...done }, about: null }
  }
  const orderFields = ({ accountId, accountName, clOrdId, action, symbol, qty, type, price, stopPrice, pegDifference, timeInForce }: OrderToPlace) =>
    ({ accountSpec: accountName, accountId, clOrdId, action, symbol, orderQty: qty, orderType: type, price, stopPrice, pegDifference, timeInForce, isAutomated: true })
  const aboutOrder = ({ accountId, symbol, action }: OrderToPlace): string => `${String(accountId)} ${symbol} ${action}`

  return {
    place: async (route: OrderRoute, order: OrderToPlace, onWire?: (at: number) => void): Promise<OrderReply<PlaceOutcome>> => {
      const about = aboutOrder(order)
      return doneBy(placed, await send(route, 'order/placeorder', about, orderFields(order), onWire), route, about)
    },
    /** Places two orders of which one cancels the other. */
    placePair: async (route: OrderRoute, order: OrderToPlace, { clOrdId, type, price, stopPrice, pegDifference }: OtherLeg, onWire?: (at: number) => void): Promise<OrderReply<PairOutcome>> => {
      const about = aboutOrder(order)
      const other = { action: order.action, orderType: type, clOrdId, price, stopPrice, pegDifference, timeInForce: order.timeInForce }
      return doneBy(placedPair, await send(route, 'order/placeoco', about, { ...orderFields(order), other }, onWire), route, about)
    },
    modify: (route: OrderRoute, { orderId, clOrdId, qty, type, price, stopPrice, pegDifference, timeInForce }: OrderChange): Promise<OrderReply<ChangeOutcome>> =>
      change(route, 'order/modifyorder', { orderId, clOrdId, orderQty: qty, orderType: type, price, stopPrice, pegDifference, timeInForce, isAutomated: true }),
    /** `byHand`: requested by the user. */
    cancel: (route: OrderRoute, { orderId, clOrdId, byHand = false }: { readonly orderId: number; readonly clOrdId: string; readonly byHand?: boolean }): Promise<OrderReply<ChangeOutcome>> => change(route, 'order/cancelorder', { orderId, clOrdId, isAutomated: !byHand }),
    /** Cancels a contract's working orders and closes its position at the user's request. `refused` if flat. */
    liquidate: async (route: OrderRoute, { accountId, contractId }: { readonly accountId: number; readonly contractId: number }): Promise<OrderReply<PlaceOutcome>> => {
      const about = `liquidate ${String(accountId)} ${String(contractId)}`
      return doneBy(placed, await send(route, 'order/liquidateposition', about, { accountId, contractId, admin: false, isAutomated: false }), route, about)
    },
  }
}
