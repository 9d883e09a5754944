import type { Log } from '#shared/base/log.ts'
import type { Side } from '#shared/fills/fill.ts'
import { clientOrderId, type OrderCause } from '#shared/copier/client-order-id.ts'
import type { UnsavedChanges } from './saved-groups.ts'
import type { CopierStore } from '../store/copier-store.ts'
import type { Cause, Intent, OrderNews, OrderPurpose, OrderStage, SavedFollower, SavedStance, UnwrittenIntent } from '../store/rows.ts'
import type { PlaceOutcome, WirePrices, WorkingType } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/timing.ts'
import { contractStateOf, lineOf, newOrder, type Account, type Follower, type Group, type CopierOrder, type World } from './world.ts'

/** A decided order. */
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
  /** The OCO partner, for the same contracts. */
  readonly other?: DraftLeg
}

/** A draft that mirrors an order of the leader's, and the contract of that order. */
export type MirroredDraft = { readonly from: string; readonly draft: Draft }

/** The OCO partner's own fields. */
export type DraftLeg = Pick<Draft, 'price' | 'stopPrice' | 'pegDifference' | 'leaderOrderId'> & { readonly type: WorkingType }

/** The ledger event of orders that copy no fill, at `at` (UTC ms). */
export const eventWithoutFill = ({ id, settings: { leader } }: Group, kind: Cause['kind'], contract: string, at: number): Cause =>
  ({ groupId: id, at, kind, leaderAccount: leader, contract, fillId: null, side: null, qty: 0, price: null })

/** A market order. */
export const marketDraft = (draft: Pick<Draft, 'group' | 'follower' | 'account' | 'contract' | 'side' | 'qty' | 'purpose'>): Draft => ({ ...draft, type: 'Market', price: null, stopPrice: null, pegDifference: null, leaderOrderId: null })

/** Order outcomes that only the sender learns of. */
export type OrderOutcome =
  | { readonly kind: 'accepted' }
  /** `change`: the modify failed, the order is unchanged. */
  | { readonly kind: 'refused'; readonly reason: string; readonly change?: boolean }
  /** `isAdvice`: the broker named no wait. */
  | { readonly kind: 'not-now'; readonly waitMs: number; readonly isAdvice: boolean }
  /** A modify or cancel sent at `sentAt` (`performance.now()`) was accepted. */
  | { readonly kind: 'taken'; readonly sentAt: number }
  | { readonly kind: 'denied'; readonly permission: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never-arrived' }

/** How long shutdown waits for answers; the rest is looked up at the next start. */
const lastAnswersMs = 2_000

/** How long orders that could not be written wait. */
const unwrittenMs = 2_000

/** Dependencies of the gateway. */
export type OrderGatewayDeps = {
  readonly world: World
  readonly store: CopierStore
  readonly timing: Timing
  /** Receives order outcomes after the world is updated. */
  readonly outcome: (account: Account, order: CopierOrder, outcome: OrderOutcome) => void
  readonly unsaved: () => UnsavedChanges
  /** Returns a call that was taken for an order and not made. */
  readonly giveBack: (account: Account) => void
  readonly log: Log
}

/** The only way out: every order is written before it is sent, and every outcome is reported. */
export type OrderGateway = ReturnType<typeof createOrderGateway>

export const createOrderGateway = ({ world, store, timing, outcome: reportOutcome, unsaved, giveBack, log }: OrderGatewayDeps) => {
  const underWay = new Set<Promise<void>>()
  let waiting: OrderNews[] = []
  let resets: { readonly follower: SavedFollower; readonly stances: readonly SavedStance[] }[] = []
  let failing = false
  let stopped = false

  const flush = (): void => {
    const news = waiting
    const changes = unsaved()
    // A group that is gone meanwhile has no row to reset.
    resets = resets.filter(({ follower }) => world.groups.has(follower.groupId))
    if (stopped || [news, resets, changes.groups, changes.followers, changes.stances, changes.leaders, changes.fills, changes.over].every(({ length }) => length === 0)) return
    try {
      for (const { id, state } of changes.groups) store.setGroupState(id, state)
      store.record(news, {
        followers: [...resets.map(({ follower }) => follower), ...changes.followers],
        stances: [...resets.flatMap(({ stances }) => stances), ...changes.stances],
        leaders: changes.leaders,
        fills: changes.fills,
        over: changes.over,
      })
      waiting = []
      resets = []
      changes.markSaved()
      failing = false
    } catch (error) {
      // Fills and stances are saved together or not at all: the next round retries both.
      log.error({ error, orders: news.length }, 'saving the state of the copier failed')
      failing = true
    }
  }

  /** Takes the answer to a request once it comes, unless the copier has stopped. */
  const whenAnswered = <T>(request: Promise<T>, take: (outcome: T) => void): void => {
    const work = request
      .then((outcome) => {
        if (!stopped) take(outcome)
      })
      .catch((error: unknown) => log.error({ error }, 'taking a broker answer failed'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }
  const recordNews = (news: OrderNews): void => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(news)
  }

  const end = (account: Account, order: CopierOrder, stage: OrderStage, news: Omit<OrderNews, 'clOrdId' | 'stage'> = {}): void => {
    order.stage = stage
    account.ours.delete(order.intent.clOrdId)
    if (order.orderId === null && !order.intent.dryRun) account.givenUp.set(order.intent.clOrdId, order)
    recordNews({ clOrdId: order.intent.clOrdId, stage, ...news })
  }

  /** Applies the answer to a sent order. `quietly`: the second of a pair is not reported. */
  const takeOutcome = (account: Account, order: CopierOrder, outcome: PlaceOutcome, quietly = false): void => {
    const { clOrdId } = order.intent
    const report: OrderGatewayDeps['outcome'] = quietly ? () => undefined : reportOutcome
    // The socket may have reported the whole order before the answer came.
    const open = account.ours.has(clOrdId)
    switch (outcome.kind) {
      case 'accepted': {
        order.orderId ??= outcome.orderId
        account.placed.set(outcome.orderId, order)
        const now = performance.now()
        const ackMs = now - (order.receivedAt ?? order.wireAt ?? now)
        if (open) order.stage = 'acknowledged'
        recordNews({ clOrdId, orderId: outcome.orderId, ackMs, ...(open ? { stage: 'acknowledged' } : {}) })
        report(account, order, { kind: 'accepted' })
        return
      }
      case 'refused':
        if (open) end(account, order, 'refused', { why: `${outcome.reason}: ${outcome.text}` })
        report(account, order, { kind: 'refused', reason: refusalText(outcome) })
        return
      case 'not-now':
        if (open) end(account, order, 'refused', { why: outcome.why })
        report(account, order, notNow(outcome))
        return
      case 'denied':
        if (open) end(account, order, 'refused', { why: outcome.failure.kind })
        report(account, order, { kind: 'denied', permission: outcome.failure.kind === 'permission-missing' })
        return
      case 'lost':
        if (!open || order.orderId !== null) return
        if (outcome.reached) {
          order.stage = 'unknown'
          order.cutMs = timing.now()
          recordNews({ clOrdId, stage: 'unknown' })
          report(account, order, { kind: 'unknown' })
        } else {
          end(account, order, 'never-arrived')
          report(account, order, { kind: 'never-arrived' })
        }
    }
  }

  const place = (account: Account, order: CopierOrder, other: CopierOrder | null): void => {
    const { intent } = order
    const line = lineOf(world, account)?.connection
    if (line === undefined) {
      if (other !== null) takeOutcome(account, other, { kind: 'lost', reached: false }, true)
      takeOutcome(account, order, { kind: 'lost', reached: false })
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
    const wireReported = (): void => {
      for (const { intent, wireAt, receivedAt } of other === null ? [order] : [order, other]) {
        if (wireAt !== null) recordNews({ clOrdId: intent.clOrdId, ...(receivedAt === null ? {} : { toWireMs: wireAt - receivedAt }) })
      }
    }
    if (other === null || other.intent.type === 'Market') {
      whenAnswered(line.place(request, wired), (outcome) => {
        wireReported()
        takeOutcome(account, order, outcome)
      })
      return
    }
    whenAnswered(line.placePair(request, { clOrdId: other.intent.clOrdId, type: other.intent.type, ...wirePrices(other.intent) }, wired), (outcome) => {
      wireReported()
      // The second one first: reporting the first triggers a look at both.
      takeOutcome(account, other, outcome.kind === 'accepted' ? { kind: 'accepted', orderId: outcome.ocoId } : outcome, true)
      takeOutcome(account, order, outcome)
    })
  }

  const write = (cause: Cause | number, intentsOf: (key: OrderCause) => UnwrittenIntent[]): { readonly id: number; readonly intents: readonly UnwrittenIntent[] } | null => {
    try {
      const from = causeOf(store, cause)
      const intents = intentsOf(from.key)
      return { id: store.writeIntents(from.cause, intents), intents }
    } catch (error) {
      log.error({ error }, 'writing orders failed')
      return null
    }
  }

  /** Gives back an order's call, and waits a moment before it is decided again. */
  const holdUnwritten = ({ group, follower, account, contract, purpose }: Draft, now: number): void => {
    // A flatten takes no call.
    if (purpose === 'flatten') return
    if (!group.settings.dryRun) giveBack(account)
    const until = now + unwrittenMs
    const state = contractStateOf(follower, contract)
    if (purpose === 'exit') Object.assign(state, { exitsHeldUntil: Math.max(state.exitsHeldUntil, until), exitsCallsWhy: 'not-saved' })
    else if (state.heldUntil < until) Object.assign(state, { heldUntil: until, pauses: 'all', heldWhy: 'not-saved', why: 'not-saved', retryAt: until })
  }

  return {
    /** Queues order news; those of one event loop turn are written together with the stances they change. */
    record: recordNews,
    /** Writes pending changes now. Never throws: what cannot be written is retried every round. */
    flush,
    /** Whether the last attempt to write changes failed. */
    isFailing: (): boolean => failing,
    /** Queues the rows of a follower that starts over, which may be removed from its group. */
    reset: (follower: SavedFollower, stances: readonly SavedStance[]): void => void resets.push({ follower, stances }),
    /** Records an order's end and drops it. */
    end,
    /** Waits briefly for pending answers and writes everything; reports nothing afterward. */
    stop: async (): Promise<void> => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, lastAnswersMs) })
      await Promise.race([Promise.allSettled(underWay), late])
      clearTimeout(timer)
      flush()
      stopped = true
    },
    /** Writes the orders in one statement, sends all requests in the same tick, and returns the ledger event. Null, and nothing is sent, if they cannot be written. */
    send: (cause: Cause | number, drafts: readonly Draft[], receivedAt: number | null): number | null => {
      const now = timing.now()
      const counts = new Map<string, number>()
      const leader = typeof cause !== 'number' && cause.price !== null ? { contract: cause.contract, price: Number(cause.price) } : null
      // The second of an OCO follows its first.
      const legs: { readonly draft: Draft; readonly isSecond: boolean }[] = []
      for (const draft of drafts) {
        legs.push({ draft, isSecond: false })
        if (draft.other !== undefined) legs.push({ draft: { ...draft, ...draft.other }, isSecond: true })
      }
      const intentsOf = (key: OrderCause): UnwrittenIntent[] => legs.map(({ draft: { group, account, contract, side, qty, purpose, type, price, stopPrice, pegDifference, leaderOrderId } }) => {
        const attempt = (counts.get(account.key) ?? 0) + 1
        counts.set(account.key, attempt)
        const clOrdId = clientOrderId({ groupId: group.id, cause: key, accountId: account.id, attempt })
        return { clOrdId, groupId: group.id, account: account.key, contract, side, qty, purpose, type, price, stopPrice, pegDifference, leaderOrderId, writtenAt: now, dryRun: group.settings.dryRun }
      })
      const written = write(cause, intentsOf)
      if (written === null) {
        for (const draft of drafts) holdUnwritten(draft, now)
        return null
      }
      const { id, intents } = written
      const sent = legs.map(({ draft, isSecond }, index): CopierOrder => {
        const intent = { ...(intents[index] as UnwrittenIntent), cause: id }
        const partner = draft.other === undefined ? undefined : intents[isSecond ? index - 1 : index + 1]
        const order = { ...newOrder(intent), receivedAt, leader, askedMs: now, pair: partner?.clOrdId ?? null }
        if (!intent.dryRun || isWorking(intent)) draft.account.ours.set(intent.clOrdId, order)
        return order
      })
      for (const [index, { draft: { account, follower, contract, side, qty, other }, isSecond }] of legs.entries()) {
        const order = sent[index]
        if (isSecond || order === undefined) continue
        if (!order.intent.dryRun) place(account, order, other === undefined ? null : (sent[index + 1] ?? null))
        else if (!isWorking(order.intent)) follower.simulated.set(contract, (follower.simulated.get(contract) ?? 0) + (side === 'buy' ? qty : -qty))
      }
      return id
    },
    cancel: (account: Account, order: CopierOrder): void => {
      if (order.stage === 'dry-run') {
        account.ours.delete(order.intent.clOrdId)
        return
      }
      const line = lineOf(world, account)?.connection
      if (line === undefined || order.orderId === null) return
      order.cancelMs = timing.now()
      const sentAt = performance.now()
      whenAnswered(line.cancel({ orderId: order.orderId, clOrdId: order.intent.clOrdId }), (outcome) => {
        // A refused order has ended or is about to; retry everything else.
        if (outcome.kind !== 'accepted' && outcome.kind !== 'refused') order.cancelMs = null
        if (outcome.kind === 'accepted') reportOutcome(account, order, { kind: 'taken', sentAt })
        if (outcome.kind === 'not-now') reportOutcome(account, order, notNow(outcome))
      })
    },
    /** Modifies price or quantity of a working order. */
    modify: (account: Account, order: CopierOrder, asked: CopierOrder['asked']): void => {
      if (order.stage === 'dry-run') {
        order.asked = asked
        return
      }
      const line = lineOf(world, account)?.connection
      const { type, clOrdId } = order.intent
      if (line === undefined || order.orderId === null || type === 'Market') return
      const before = order.asked
      order.asked = asked
      order.askedMs = timing.now()
      order.changing = true
      const sentAt = performance.now()
      whenAnswered(line.modify({ orderId: order.orderId, clOrdId, qty: asked.qty, type, ...wirePrices(asked) }), (outcome) => {
        order.changing = false
        if (outcome.kind !== 'accepted' && outcome.kind !== 'lost') order.asked = before
        switch (outcome.kind) {
          case 'accepted':
            reportOutcome(account, order, { kind: 'taken', sentAt })
            return
          case 'lost':
            reportOutcome(account, order, { kind: 'unknown' })
            return
          case 'not-now':
            reportOutcome(account, order, notNow(outcome))
            return
          case 'refused':
            reportOutcome(account, order, { kind: 'refused', reason: refusalText(outcome), change: true })
            return
          case 'denied':
            reportOutcome(account, order, { kind: 'denied', permission: outcome.failure.kind === 'permission-missing' })
        }
      })
    },
  }
}

const notNow = ({ why, waitMs }: Extract<PlaceOutcome, { kind: 'not-now' }>): OrderOutcome => ({ kind: 'not-now', waitMs, isAdvice: why === 'rate-limited' })

/** The broker's words for a refusal. */
export const refusalText = ({ reason, text }: { readonly reason: string; readonly text: string }): string => [reason, text].filter((part) => part !== '').join(': ')

/** Whether an order rests at its price. */
const isWorking = ({ purpose }: Pick<Intent, 'purpose'>): boolean => purpose === 'exit' || purpose === 'entry'

/** An order's prices. */
const wirePrices = ({ price, stopPrice, pegDifference }: Pick<Intent, 'price' | 'stopPrice' | 'pegDifference'>): WirePrices => ({
  ...(price === null ? {} : { price }),
  ...(stopPrice === null ? {} : { stopPrice }),
  ...(pegDifference === null ? {} : { pegDifference }),
})

/** The id source of an event's orders: the fill's id, otherwise the event number, allocated first. */
const causeOf = (store: CopierStore, cause: Cause | number): { readonly cause: Cause | number; readonly key: OrderCause } => {
  if (typeof cause !== 'number' && cause.kind === 'fill' && cause.fillId !== null) return { cause, key: { kind: 'fill', id: Number(cause.fillId) } }
  const seq = typeof cause === 'number' ? cause : store.writeCause(cause)
  return { cause: seq, key: { kind: 'event', seq } }
}
