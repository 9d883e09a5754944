import type { Log } from '#shared/base/log.ts'
import type { Side } from '#shared/fills/fill.ts'
import { clientOrderId, type OrderCause } from '#shared/copier/client-order-id.ts'
import type { Standing } from './groups-kept.ts'
import type { Cause, CopierStore, Intent, OrderNews, OrderPurpose, OrderStage } from '../store/rows.ts'
import type { PlaceOutcome, WirePrices, WorkingType } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { lineOf, type Account, type Follower, type Group, type OutOrder, type World } from './world.ts'

/** An order as it was decided. */
export type Draft = {
  readonly group: Group
  readonly follower: Follower
  readonly account: Account
  readonly contract: string
  readonly side: Side
  readonly qty: number
  readonly purpose: OrderPurpose
  readonly type: Intent['type']
  readonly price: number | null
  readonly stopPrice: number | null
  /** A trailing stop's distance. */
  readonly pegDifference: number | null
  readonly leaderOrderId: number | null
  /** The other order of an OCO, for the same contracts. */
  readonly other?: DraftLeg
}

/** What the second order of an OCO has of its own. */
export type DraftLeg = Pick<Draft, 'price' | 'stopPrice' | 'pegDifference' | 'leaderOrderId'> & { readonly type: WorkingType }

/** A market order. */
export const marketDraft = (draft: Pick<Draft, 'group' | 'follower' | 'account' | 'contract' | 'side' | 'qty' | 'purpose'>): Draft => ({ ...draft, type: 'Market', price: null, stopPrice: null, pegDifference: null, leaderOrderId: null })

/** What happened to an order that nobody but its sender hears of. */
export type OutNews =
  | { readonly kind: 'accepted' }
  /** `change`: it stands as it was, and will not be changed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly change?: boolean }
  /** `isAdvice`: the broker did not say for how long. */
  | { readonly kind: 'not-now'; readonly waitMs: number; readonly isAdvice: boolean }
  /** A change or a cancellation that was sent at `sentAt` (`performance.now()`) was taken. */
  | { readonly kind: 'taken'; readonly sentAt: number }
  | { readonly kind: 'denied'; readonly permission: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never-arrived' }

/** The one way out: what is sent was written before, and what comes back is told. */
export type Outlet = {
  /** Writes the orders in one statement, hands all requests to the network in the same tick, and gives the ledger's event. */
  readonly send: (cause: Cause | number, drafts: readonly Draft[], heardAt: number | null) => number
  readonly cancel: (account: Account, order: OutOrder) => void
  /** Asks for other prices or contracts of a working exit. */
  readonly change: (account: Account, order: OutOrder, asked: OutOrder['asked']) => void
  /** Writes that nothing more comes of an order, and forgets it. */
  readonly end: (account: Account, order: OutOrder, stage: OrderStage, news?: Omit<OrderNews, 'clOrdId' | 'stage'>) => void
  /** Keeps news of orders; those of one turn of the loop are written together, with how followers stand by them. */
  readonly tell: (news: OrderNews) => void
  /** Writes now what changed. */
  readonly keep: () => void
  /** Waits a moment for the answers that are under way and writes what is to be written; nothing is told after that. */
  readonly stop: () => Promise<void>
}

/** For so long the end waits for answers; what is still open then is asked about at the next start. */
const lastAnswersMs = 2_000

/** What the outlet works with. `heard` is told what came of an order, after the world was changed accordingly; `standing` is how followers stand by it. */
export type OutletParts = {
  readonly world: World
  readonly store: CopierStore
  readonly timing: Timing
  readonly heard: (account: Account, order: OutOrder, news: OutNews) => void
  readonly standing: () => Standing
  readonly log: Log
}

/** The outlet of one engine. */
export const createOutlet = ({ world, store, timing, heard: tellHeard, standing, log }: OutletParts): Outlet => {
  const underWay = new Set<Promise<void>>()
  let waiting: OrderNews[] = []
  let stopped = false

  const flush = (): void => {
    const news = waiting
    const now = standing()
    if (stopped || (news.length === 0 && now.stances.length === 0 && now.leaders.length === 0)) return
    try {
      store.tell(news, now)
      waiting = []
      now.kept()
    } catch (error) {
      // What orders filled and what followers hold are kept together or not at all: the next round tries both again.
      log.error({ error, orders: news.length }, 'News of orders could not be kept')
    }
  }
  const answered = <T>(request: Promise<T>, take: (outcome: T) => void): void => {
    const work = request
      .then((outcome) => {
        if (!stopped) take(outcome)
      })
      .catch((error: unknown) => log.error({ error }, "The broker's answer could not be taken"))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }
  const tell = (news: OrderNews): void => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(news)
  }
  const since = (order: OutOrder, at: number): number => at - (order.heardAt ?? order.wireAt ?? at)

  const end: Outlet['end'] = (account, order, stage, news = {}) => {
    order.stage = stage
    account.ours.delete(order.intent.clOrdId)
    if (order.orderId === null && !order.intent.dryRun) account.givenUp.set(order.intent.clOrdId, order)
    tell({ clOrdId: order.intent.clOrdId, stage, ...news })
  }

  /** `quietly`: it is the second of a pair, and nobody is told of it. */
  const took = (account: Account, order: OutOrder, outcome: PlaceOutcome, quietly = false): void => {
    const { clOrdId } = order.intent
    const heard: OutletParts['heard'] = quietly ? () => undefined : tellHeard
    // The socket may have told its whole life before the answer came.
    const open = account.ours.has(clOrdId)
    switch (outcome.kind) {
      case 'accepted': {
        order.orderId ??= outcome.orderId
        account.placed.set(outcome.orderId, order)
        const ackMs = since(order, performance.now())
        if (open) order.stage = 'acknowledged'
        tell({ clOrdId, orderId: outcome.orderId, ackMs, ...(open ? { stage: 'acknowledged' } : {}) })
        heard(account, order, { kind: 'accepted' })
        return
      }
      case 'refused':
        if (open) end(account, order, 'refused', { why: `${outcome.reason}: ${outcome.text}` })
        heard(account, order, { kind: 'refused', reason: [outcome.reason, outcome.text].filter((part) => part !== '').join(': ') })
        return
      case 'not-now':
        if (open) end(account, order, 'refused', { why: outcome.why })
        heard(account, order, notNow(outcome))
        return
      case 'denied':
        if (open) end(account, order, 'refused', { why: outcome.failure.kind })
        heard(account, order, { kind: 'denied', permission: outcome.failure.kind === 'permission-missing' })
        return
      case 'lost':
        if (!open || order.orderId !== null) return
        if (outcome.reached) {
          order.stage = 'unknown'
          order.cutMs = timing.now()
          tell({ clOrdId, stage: 'unknown' })
          heard(account, order, { kind: 'unknown' })
        } else {
          end(account, order, 'never-arrived')
          heard(account, order, { kind: 'never-arrived' })
        }
    }
  }

  const place = (account: Account, order: OutOrder, other: OutOrder | null): void => {
    const { intent } = order
    const line = lineOf(world, account)?.line
    if (line === undefined) {
      if (other !== null) took(account, other, { kind: 'lost', reached: false }, true)
      took(account, order, { kind: 'lost', reached: false })
      return
    }
    const wired = (at: number): void => {
      order.wireAt = at
      if (other !== null) other.wireAt = at
    }
    const request = {
      accountId: account.id,
      accountName: account.name,
      clOrdId: intent.clOrdId,
      action: intent.side === 'buy' ? ('Buy' as const) : ('Sell' as const),
      symbol: intent.contract,
      qty: intent.qty,
      type: intent.type,
      ...wirePrices(intent),
    }
    const toldWire = (): void => {
      for (const { intent: { clOrdId }, wireAt, heardAt } of [order, ...(other === null ? [] : [other])]) {
        if (wireAt !== null) tell({ clOrdId, ...(heardAt === null ? {} : { toWireMs: wireAt - heardAt }) })
      }
    }
    const type = other?.intent.type
    if (other === null || type === undefined || type === 'Market') {
      answered(line.place(request, wired), (outcome) => {
        toldWire()
        took(account, order, outcome)
      })
      return
    }
    answered(line.placePair(request, { clOrdId: other.intent.clOrdId, type, ...wirePrices(other.intent) }, wired), (outcome) => {
      toldWire()
      // The second one first: what came of both is looked at when the first is told.
      took(account, other, outcome.kind === 'accepted' ? { kind: 'accepted', orderId: outcome.ocoId } : outcome, true)
      took(account, order, outcome)
    })
  }

  return {
    tell,
    keep: flush,
    end,
    stop: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, lastAnswersMs) })
      await Promise.race([Promise.allSettled(underWay), late])
      clearTimeout(timer)
      flush()
      stopped = true
    },
    send: (cause, drafts, heardAt) => {
      const now = timing.now()
      const counts = new Map<string, number>()
      const from = causeOf(store, cause)
      const both = drafts.flatMap((draft, at): { readonly draft: Draft; readonly at: number; readonly second: boolean }[] =>
        draft.other === undefined ? [{ draft, at, second: false }] : [{ draft, at, second: false }, { draft: { ...draft, ...draft.other }, at, second: true }],
      )
      const intents = both.map(({ draft: { group, account, contract, side, qty, purpose, type, price, stopPrice, pegDifference, leaderOrderId } }) => {
        const attempt = (counts.get(account.key) ?? 0) + 1
        counts.set(account.key, attempt)
        const clOrdId = clientOrderId({ groupId: group.id, cause: from.key, accountId: account.id, attempt })
        return { clOrdId, groupId: group.id, account: account.key, contract, side, qty, purpose, type, price, stopPrice, pegDifference, leaderOrderId, writtenAt: now, dryRun: group.kept.dryRun }
      })
      const id = store.writeIntents(from.cause, intents)
      const sent = both.map(({ draft, at, second }, index) => {
        const intent = { ...(intents[index] as Omit<Intent, 'cause'>), cause: id }
        const partner = draft.other === undefined ? undefined : intents[second ? index - 1 : index + 1]
        const order: OutOrder = {
          intent,
          stage: intent.dryRun ? 'dry-run' : 'sent',
          orderId: null,
          filled: 0,
          heardAt,
          leader: typeof cause !== 'number' && cause.price !== null ? { contract: cause.contract, price: Number(cause.price) } : null,
          wireAt: null,
          sentMs: now,
          cutMs: null,
          ended: false,
          cancelMs: null,
          changing: false,
          asked: { qty: draft.qty, price: draft.price, stopPrice: draft.stopPrice, pegDifference: draft.pegDifference },
          askedMs: now,
          follows: draft.leaderOrderId,
          pair: partner?.clOrdId ?? null,
          stood: false,
          twin: false,
        }
        if (!intent.dryRun || isWorking(intent)) draft.account.ours.set(intent.clOrdId, order)
        return { order, at, second }
      })
      const seconds = new Map(sent.flatMap(({ order, at, second }) => (second ? [[at, order] as const] : [])))
      for (const { order, at, second } of sent) {
        const { account, follower, contract, side, qty } = drafts[at] as Draft
        if (second) continue
        if (!order.intent.dryRun) place(account, order, seconds.get(at) ?? null)
        else if (!isWorking(order.intent)) follower.pretended.set(contract, (follower.pretended.get(contract) ?? 0) + (side === 'buy' ? qty : -qty))
      }
      return id
    },
    cancel: (account, order) => {
      if (order.stage === 'dry-run') {
        account.ours.delete(order.intent.clOrdId)
        return
      }
      const line = lineOf(world, account)?.line
      if (line === undefined || order.orderId === null) return
      order.cancelMs = timing.now()
      const sentAt = performance.now()
      answered(line.cancel({ orderId: order.orderId, clOrdId: order.intent.clOrdId }), (outcome) => {
        // What was refused is ended or about to be; all else is asked again.
        if (outcome.kind !== 'accepted' && outcome.kind !== 'refused') order.cancelMs = null
        if (outcome.kind === 'accepted') tellHeard(account, order, { kind: 'taken', sentAt })
        if (outcome.kind === 'not-now') tellHeard(account, order, notNow(outcome))
      })
    },
    change: (account, order, asked) => {
      if (order.stage === 'dry-run') {
        order.asked = asked
        return
      }
      const line = lineOf(world, account)?.line
      const { type, clOrdId } = order.intent
      if (line === undefined || order.orderId === null || type === 'Market') return
      const before = order.asked
      order.asked = asked
      order.askedMs = timing.now()
      order.changing = true
      const sentAt = performance.now()
      answered(line.modify({ orderId: order.orderId, clOrdId, qty: asked.qty, type, ...wirePrices(asked) }), (outcome) => {
        order.changing = false
        if (outcome.kind !== 'accepted' && outcome.kind !== 'lost') order.asked = before
        switch (outcome.kind) {
          case 'accepted':
            tellHeard(account, order, { kind: 'taken', sentAt })
            return
          case 'lost':
            tellHeard(account, order, { kind: 'unknown' })
            return
          case 'not-now':
            tellHeard(account, order, notNow(outcome))
            return
          case 'refused':
            tellHeard(account, order, { kind: 'refused', reason: [outcome.reason, outcome.text].filter((part) => part !== '').join(': '), change: true })
            return
          case 'denied':
            tellHeard(account, order, { kind: 'denied', permission: outcome.failure.kind === 'permission-missing' })
        }
      })
    },
  }
}

const notNow = ({ why, waitMs }: Extract<PlaceOutcome, { kind: 'not-now' }>): OutNews => ({ kind: 'not-now', waitMs, isAdvice: why === 'rate-limited' })

/** Whether an order waits for its price. */
const isWorking = ({ purpose }: Pick<Intent, 'purpose'>): boolean => purpose === 'exit' || purpose === 'entry'

/** The prices that an order has. */
const wirePrices = ({ price, stopPrice, pegDifference }: Pick<Intent, 'price' | 'stopPrice' | 'pegDifference'>): WirePrices => ({
  ...(price === null ? {} : { price }),
  ...(stopPrice === null ? {} : { stopPrice }),
  ...(pegDifference === null ? {} : { pegDifference }),
})

/** What the orders of an event are named after: a fill's own id, else the number that the event gets first. */
const causeOf = (store: CopierStore, cause: Cause | number): { readonly cause: Cause | number; readonly key: OrderCause } => {
  if (typeof cause !== 'number' && cause.kind === 'fill' && cause.fillId !== null) return { cause, key: { kind: 'fill', id: Number(cause.fillId) } }
  const seq = typeof cause === 'number' ? cause : store.writeCause(cause)
  return { cause: seq, key: { kind: 'event', seq } }
}
