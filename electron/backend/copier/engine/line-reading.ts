import { err, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import type { Fact, FillFact } from '#shared/copier/facts.ts'
import type { BrokerFailure } from '../../brokers/tradovate/failure.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { LiveRows } from '../../brokers/tradovate/live-messages.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { LineEvent } from './line.ts'
import type { LineContracts } from './line-contracts.ts'
import { readFillsOf, readLimitLists, readLists, readOrder, type Listed, type ReadPath } from './line-lists.ts'

const lookUps = 4
const firstLookUpMs = 500

/** All that a line gets to know, by its socket and by asking, and what it says of it. */
export type LineReading = {
  /** Tells what a message of the socket holds, and looks up what it speaks of and nobody knows. */
  readonly take: (rows: LiveRows, heardAt: number, source: 'socket' | 'snapshot') => void
  /** Tells all lists, in a reading that begins after this call. */
  readonly readAnew: () => Promise<Result<Listed, BrokerFailure>>
  readonly fillsOf: (orderId: number) => Promise<readonly FillFact[] | null>
  readonly readLimits: () => Promise<void>
  readonly contractNamed: (name: string) => Promise<LiveContract | null>
}

type Parts = {
  readonly read: ReadPath
  readonly contracts: LineContracts
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly tell: (event: LineEvent) => void
  readonly log: Log
}

const keyOf = (fact: Fact): string => `${fact.kind} ${String(fact.kind === 'cash' ? fact.accountId : fact.id)}`

/** Facts as they come. What the socket told while lists were on their way is newer than the lists, and stands. */
export const createLineReading = ({ read, contracts, timing, signal, tell, log }: Parts): LineReading => {
  const orders = new Set<number>()
  const looking = new Set<number>()
  const complained = new Set<string>()
  let changed: Map<string, Fact> | null = null
  let running: Promise<Result<Listed, BrokerFailure>> | null = null
  let next: Promise<Result<Listed, BrokerFailure>> | null = null

  const tellContracts = (fresh: readonly LiveContract[]): void => {
    if (fresh.length > 0) tell({ kind: 'contracts', contracts: fresh })
  }

  const tellFacts = (facts: readonly Fact[], heardAt: number, source: 'socket' | 'snapshot' | 'lists'): void => {
    if (facts.length === 0) return
    for (const fact of facts) {
      if (fact.kind === 'order') orders.add(fact.id)
      if (source === 'socket') changed?.set(keyOf(fact), fact)
    }
    tell({ kind: 'facts', facts, heardAt, source })
  }

  const fetchContracts = async (facts: readonly Fact[]): Promise<void> => {
    const ids = contracts.unknownIn(facts)
    if (ids.length > 0) tellContracts(await contracts.fetch(ids, signal))
  }

  /** A fill names no account: its order does, and that may have been told to somebody else, or never. */
  const lookUp = async (id: number): Promise<void> => {
    if (looking.has(id)) return
    looking.add(id)
    try {
      for (let turn = 0; turn < lookUps; turn += 1) {
        // What came in the same frame is taken first.
        await (turn === 0 ? new Promise(setImmediate) : timing.sleep(firstLookUpMs * 2 ** turn, signal))
        if (orders.has(id)) return
        const order = await readOrder(read, id)
        if (order === null || orders.has(id)) continue
        tellFacts([order], performance.now(), 'lists')
        return
      }
      log.warn({ order: id }, 'A fill of an order that the broker does not tell')
    } finally {
      looking.delete(id)
    }
  }

  /** For what nobody waits for: a renewal whose tokens could not be saved rejects, and so does a pause that the line's end cuts short. */
  const beside = (work: Promise<void>): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) log.warn({ error }, 'What the socket left open could not be asked for')
    })

  const complain = ({ entity, why }: LiveRows['unreadable'][number]): void => {
    if (complained.has(`${entity} ${why}`)) return
    complained.add(`${entity} ${why}`)
    log.warn({ entity, field: why }, 'A row of the broker could not be read')
  }

  const readOnce = async (): Promise<Result<Listed, BrokerFailure>> => {
    changed = new Map()
    try {
      const listed = await readLists(read)
      if (!listed.ok) return listed
      const older = changed
      await fetchContracts(listed.value.facts)
      tellFacts(listed.value.facts.filter((fact) => !older.has(keyOf(fact))), performance.now(), 'lists')
      tell({ kind: 'listed', positions: [...listed.value.facts, ...older.values()].filter((fact) => fact.kind === 'position') })
      return listed
    } finally {
      changed = null
    }
  }

  const start = (): Promise<Result<Listed, BrokerFailure>> => {
    running = readOnce()
      // A renewal whose tokens could not be saved rejects: nothing was read.
      .catch(() => err<BrokerFailure>({ kind: 'unreachable', cause: 'network', status: null }))
      .finally(() => { running = null })
    return running
  }

  const readAnew = (): Promise<Result<Listed, BrokerFailure>> => {
    if (running === null) return start()
    next ??= running.then(() => {
      next = null
      return start()
    })
    return next
  }

  return {
    readAnew,
    take: (rows, heardAt, source) => {
      tellContracts(contracts.take(rows))
      if (rows.accounts.length > 0) tell({ kind: 'accounts', accounts: rows.accounts })
      tellFacts(rows.facts, heardAt, source)
      if (rows.limits.length > 0) tell({ kind: 'limits', rows: rows.limits })
      for (const row of rows.unreadable) complain(row)
      // What is gone is no row any more: only the lists say what is left.
      if (rows.deleted.length > 0) void readAnew()
      if (source === 'snapshot' || rows.facts.length === 0) return
      for (const fact of rows.facts) if (fact.kind === 'fill' && !orders.has(fact.orderId)) beside(lookUp(fact.orderId))
      beside(fetchContracts(rows.facts))
    },
    fillsOf: async (orderId) => {
      const fills = await readFillsOf(read, orderId)
      if (fills !== null) tellFacts(fills.map((fill) => ({ ...fill, kind: 'fill' })), performance.now(), 'lists')
      return fills
    },
    readLimits: async () => {
      const rows = await readLimitLists(read)
      if (rows.length > 0) tell({ kind: 'limits', rows })
    },
    contractNamed: async (name) => {
      const found = await contracts.named(name, signal)
      tellContracts(found?.fresh ?? [])
      return found?.contract ?? null
    },
  }
}
