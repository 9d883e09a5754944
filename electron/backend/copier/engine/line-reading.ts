import { err, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import type { Fact, FillFact } from '#shared/copier/facts.ts'
import type { BrokerFailure } from '../../brokers/failure.ts'
import type { LimitRow } from '../../brokers/tradovate/limit-rows.ts'
import type { LiveAccount, LiveContract } from '../../brokers/tradovate/live.ts'
import type { LiveRows } from '../../brokers/tradovate/live-messages.ts'
import type { Timing } from '../../brokers/timing.ts'
import type { LineContracts } from './line-contracts.ts'
import { readFillsOf, readLimitLists, readLists, readOrder, type Listed, type ReadPath } from './line-lists.ts'
import type { LineWhy } from './reconnect.ts'

/** A line's state: `up` only once snapshot and lists are read after the socket was authorized. */
export type LineState = 'up' | 'connecting' | 'down'

/** A line's events, in order. */
export type LineEvent =
  /** `receivedAt` is `performance.now()` on arrival; facts of a snapshot or list may be old, socket facts are new. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[]; readonly receivedAt: number; readonly source: 'socket' | 'snapshot' | 'lists' }
  /** All lists were read: all positions of the current session, including newer socket facts; any other contract is flat. */
  | { readonly kind: 'listed'; readonly positions: readonly { readonly accountId: number; readonly contractId: number }[] }
  | { readonly kind: 'accounts'; readonly accounts: readonly LiveAccount[] }
  | { readonly kind: 'contracts'; readonly contracts: readonly LiveContract[] }
  | { readonly kind: 'limits'; readonly rows: readonly LimitRow[] }
  | { readonly kind: 'state'; readonly state: LineState; readonly why: LineWhy | null }

const lookUps = 4
const firstLookUpMs = 500

type Parts = {
  readonly read: ReadPath
  readonly contracts: LineContracts
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly emit: (event: LineEvent) => void
  readonly log: Log
}

const keyOf = (fact: Fact): string => `${fact.kind} ${String(fact.kind === 'cash' ? fact.accountId : fact.id)}`

/** Turns a line's socket messages and list reads into events. Emits facts as they come. Socket facts that arrive during a list read are newer than the lists and win. */
export const createLineReading = ({ read, contracts, timing, signal, emit, log }: Parts) => {
  const orders = new Set<number>()
  const looking = new Set<number>()
  const complained = new Set<string>()
  let changed: Map<string, Fact> | null = null
  let running: Promise<Result<Listed, BrokerFailure>> | null = null
  let next: Promise<Result<Listed, BrokerFailure>> | null = null

  const emitContracts = (fresh: readonly LiveContract[]): void => {
    if (fresh.length > 0) emit({ kind: 'contracts', contracts: fresh })
  }

  const emitFacts = (facts: readonly Fact[], receivedAt: number, source: 'socket' | 'snapshot' | 'lists'): void => {
    if (facts.length === 0) return
    for (const fact of facts) {
      if (fact.kind === 'order') orders.add(fact.id)
      if (source === 'socket') changed?.set(keyOf(fact), fact)
    }
    emit({ kind: 'facts', facts, receivedAt, source })
  }

  const fetchContracts = async (facts: readonly Fact[]): Promise<void> => {
    const ids = contracts.unknownIn(facts)
    if (ids.length > 0) emitContracts(await contracts.fetch(ids, signal))
  }

  /** A fill has no account: its order has, and that may never have arrived. */
  const lookUp = async (id: number): Promise<void> => {
    if (looking.has(id)) return
    looking.add(id)
    try {
      for (let turn = 0; turn < lookUps; turn += 1) {
        // Take the rest of the frame first.
        await (turn === 0 ? new Promise(setImmediate) : timing.sleep(firstLookUpMs * 2 ** turn, signal))
        if (orders.has(id)) return
        const order = await readOrder(read, id)
        if (order === null || orders.has(id)) continue
        emitFacts([order], performance.now(), 'lists')
        return
      }
      log.warn({ order: id }, 'fill of an unknown order')
    } finally {
      looking.delete(id)
    }
  }

  /** For background work: it rejects if renewed tokens cannot be saved or the line closes during a pause. */
  const inBackground = (work: Promise<void>): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) log.warn({ error }, 'lookup after a socket message failed')
    })

  const complain = ({ entity, why }: LiveRows['unreadable'][number]): void => {
    if (complained.has(`${entity} ${why}`)) return
    complained.add(`${entity} ${why}`)
    log.warn({ entity, field: why }, 'unreadable broker row')
  }

  const readOnce = async (): Promise<Result<Listed, BrokerFailure>> => {
    changed = new Map()
    try {
      const listed = await readLists(read)
      if (!listed.ok) return listed
      // What the socket brought during the read is newer than the lists.
      const newer = changed
      await fetchContracts(listed.value.facts)
      emitFacts(listed.value.facts.filter((fact) => !newer.has(keyOf(fact))), performance.now(), 'lists')
      emit({ kind: 'listed', positions: [...listed.value.facts, ...newer.values()].filter((fact) => fact.kind === 'position') })
      return listed
    } finally {
      changed = null
    }
  }

  const start = (): Promise<Result<Listed, BrokerFailure>> => {
    running = readOnce()
      // Rejects if renewed tokens cannot be saved: nothing was read.
      .catch(() => err<BrokerFailure>({ kind: 'unreachable', cause: 'network', status: null }))
      .finally(() => { running = null })
    return running
  }

  const reread = (): Promise<Result<Listed, BrokerFailure>> => {
    if (running === null) return start()
    next ??= running.then(() => {
      next = null
      return start()
    })
    return next
  }

  return {
    /** Emits all lists from a read that starts after this call. */
    readAnew: reread,
    /** Emits a socket message's rows and looks up unknown contracts and orders in it. */
    take: (rows: LiveRows, receivedAt: number, source: 'socket' | 'snapshot'): void => {
      emitContracts(contracts.take(rows))
      if (rows.accounts.length > 0) emit({ kind: 'accounts', accounts: rows.accounts })
      emitFacts(rows.facts, receivedAt, source)
      if (rows.limits.length > 0) emit({ kind: 'limits', rows: rows.limits })
      for (const row of rows.unreadable) complain(row)
      // Deleted rows are not sent: only the lists show what is left.
      if (rows.deleted.length > 0) void reread()
      if (source === 'snapshot' || rows.facts.length === 0) return
      for (const fact of rows.facts) if (fact.kind === 'fill' && !orders.has(fact.orderId)) inBackground(lookUp(fact.orderId))
      inBackground(fetchContracts(rows.facts))
    },
    fillsOf: async (orderId: number): Promise<readonly FillFact[] | null> => {
      const fills = await readFillsOf(read, orderId)
      if (fills !== null) emitFacts(fills.map((fill) => ({ ...fill, kind: 'fill' })), performance.now(), 'lists')
      return fills
    },
    readLimits: async (): Promise<void> => {
      const rows = await readLimitLists(read)
      if (rows.length > 0) emit({ kind: 'limits', rows })
    },
    contractNamed: async (name: string): Promise<LiveContract | null> => {
      const found = await contracts.named(name, signal)
      emitContracts(found?.fresh ?? [])
      return found?.contract ?? null
    },
  }
}
