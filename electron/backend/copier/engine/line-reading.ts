import { err, ok, type Result } from '#shared/base/result.ts'
import type { Log } from '#shared/base/log.ts'
import type { Fact, FillFact, OrderFact, PositionFact } from '#shared/copier/facts.ts'
import type { BrokerFailure } from '../../brokers/failure.ts'
import type { LimitRow } from '../../brokers/tradovate/limit-rows.ts'
import type { LiveAccount, LiveContract } from '../../brokers/tradovate/live.ts'
import { rowsOfList, liveContract, readLiveRow, type LiveRows } from '../../brokers/tradovate/live-messages.ts'
import type { Timing } from '../../brokers/timing.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { Login } from '../../brokers/tradovate/login.ts'
import { createReads } from '../../brokers/tradovate/reads.ts'
import type { ContractRow, MaturityRow, ProductRow } from '../../brokers/tradovate/wire.ts'
import type { LineWhy } from './reconnect.ts'

/** Reads one path on the line's side. */
export type ReadPath = (path: string, query?: Readonly<Record<string, string>>) => Promise<Result<unknown, BrokerFailure>>

/** The content of the lists. */
type Listed = {
  readonly facts: readonly Fact[]
  /** False if this login may not read commands: then a lost order's outcome is unknown. */
  readonly withCommands: boolean
}

/** The most orders to request per read that the fill list names and the order list lacks. */
const mostLookUps = 50

const list = async (read: ReadPath, entity: string): Promise<Result<readonly Fact[], BrokerFailure>> => {
  const answer = await read(`/${entity}/list`)
  if (!answer.ok) return answer
  const rows = rowsOfList(entity, answer.value)
  return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows.facts)
}

/** One order by id; null if unknown to the broker or unreadable. */
const readOrder = async (read: ReadPath, id: number): Promise<Fact | null> => {
  const answer = await read('/order/item', { id: String(id) })
  return answer.ok ? (rowsOfList('order', [answer.value])?.facts[0] ?? null) : null
}

/** All fills of an order that the broker has. */
const readFillsOf = async (read: ReadPath, orderId: number): Promise<readonly FillFact[] | null> => {
  const answer = await read('/fill/deps', { masterid: String(orderId) })
  const rows = answer.ok ? rowsOfList('fill', answer.value) : null
  return rows === null ? null : rows.facts.filter((fact) => fact.kind === 'fill')
}

/** The broker's own limits; empty if the login may not read them. */
const readLimitLists = async (read: ReadPath): Promise<readonly LimitRow[]> => {
  const lists = await Promise.all((['account', 'userAccountAutoLiq', 'accountRiskStatus'] as const).map(async (entity) => ({ entity, answer: await read(`/${entity}/list`) })))
  return lists.flatMap(({ entity, answer }) => (answer.ok ? (rowsOfList(entity, answer.value)?.limits ?? []) : []))
}

const absent: ReadonlySet<BrokerFailure['kind']> = new Set(['permission-missing', 'not-found'])

/**
 * Reads the lists of the current session. Positions come first and fills last, so every fill in a position is also in the fill list.
 */
const readLists = async (read: ReadPath): Promise<Result<Listed, BrokerFailure>> => {
  const positions = await list(read, 'position')
  if (!positions.ok) return positions
  const [orders, versions, commands, cash] = await Promise.all([list(read, 'order'), list(read, 'orderVersion'), list(read, 'command'), list(read, 'cashBalance')])
  if (!orders.ok) return orders
  if (!versions.ok) return versions
  if (!commands.ok && !absent.has(commands.error.kind)) return commands
  const fills = await list(read, 'fill')
  if (!fills.ok) return fills
  const known = new Set(orders.value.map((fact) => (fact.kind === 'order' ? fact.id : 0)))
  const unknown = new Set(fills.value.flatMap((fact) => (fact.kind === 'fill' && !known.has(fact.orderId) ? [fact.orderId] : [])))
  const found = await Promise.all([...unknown].slice(0, mostLookUps).map((id) => readOrder(read, id)))
  return ok({
    withCommands: commands.ok,
    facts: [
      ...positions.value, ...orders.value, ...found.filter((fact) => fact !== null), ...versions.value, ...(commands.ok ? commands.value : []), ...fills.value,
      // A login that may not read cash still copies.
      ...(cash.ok ? cash.value : []),
    ],
  })
}

/** Whether a position of the newest session includes fills not received yet: then reread the lists. */
export const isBehind = (facts: readonly Fact[]): boolean => {
  const orders = new Map<number, OrderFact>()
  const positions = new Map<string, PositionFact>()
  for (const fact of facts) {
    if (fact.kind === 'order') orders.set(fact.id, fact)
    if (fact.kind === 'position') {
      const key = `${String(fact.accountId)} ${String(fact.contractId)}`
      if ((positions.get(key)?.session ?? '') <= fact.session) positions.set(key, fact)
    }
  }
  const filled = new Map<string, number>()
  for (const fact of facts) {
    if (fact.kind !== 'fill' || !fact.active) continue
    const accountId = orders.get(fact.orderId)?.accountId
    const key = `${String(accountId)} ${String(fact.contractId)} ${fact.session} ${fact.side}`
    filled.set(key, (filled.get(key) ?? 0) + fact.qty)
  }
  return [...positions].some(([key, { session, bought, sold }]) => bought > (filled.get(`${key} ${session} buy`) ?? 0) || sold > (filled.get(`${key} ${session} sell`) ?? 0))
}

/** A line's contracts by id and name, each reported once. */
type LineContracts = ReturnType<typeof createLineContracts>

/** Caches contracts, maturities, and products for the line's lifetime. */
export const createLineContracts = (login: Login, environment: Environment) => {
  const reads = createReads(login, environment)
  const contracts = new Map<number, ContractRow>()
  const maturities = new Map<number, MaturityRow>()
  const products = new Map<number, ProductRow>()
  const complete = new Map<number, LiveContract>()
  const waiting = new Set<number>()
  const asked = new Set<number>()
  const askAgain = (ids: readonly number[]): void => ids.forEach((id) => void asked.delete(id))

  const join = (): readonly LiveContract[] => {
    const fresh: LiveContract[] = []
    for (const id of waiting) {
      const contract = contracts.get(id)
      const product = products.get(maturities.get(contract?.contractMaturityId ?? 0)?.productId ?? 0)
      const joined = contract === undefined || product === undefined ? null : liveContract(contract, product)
      if (joined === null) continue
      waiting.delete(id)
      complete.set(id, joined)
      fresh.push(joined)
    }
    return fresh
  }

  const take = (rows: Pick<LiveRows, 'contracts' | 'maturities' | 'products'>): readonly LiveContract[] => {
    if (rows.contracts.length + rows.maturities.length + rows.products.length === 0) return []
    for (const row of rows.products) products.set(row.id, row)
    for (const row of rows.maturities) maturities.set(row.id, row)
    for (const row of rows.contracts) {
      contracts.set(row.id, row)
      if (!complete.has(row.id)) waiting.add(row.id)
    }
    return join()
  }

  const read: LineContracts['fetch'] = async (ids, signal) => {
    const rows = await reads.contracts(ids.filter((id) => !contracts.has(id)), signal)
    if (!rows.ok) {
      askAgain(ids)
      return []
    }
    for (const row of rows.value.rows) contracts.set(row.id, row)
    const here = ids.flatMap((id) => contracts.get(id) ?? [])
    for (const { id } of here) if (!complete.has(id)) waiting.add(id)
    const months = await reads.maturities(here.map((row) => row.contractMaturityId).filter((id) => !maturities.has(id)), signal)
    if (months.ok) for (const row of months.value.rows) maturities.set(row.id, row)
    const wanted = here.flatMap((row) => maturities.get(row.contractMaturityId)?.productId ?? []).filter((id) => !products.has(id))
    const found = await reads.products(wanted, signal)
    if (found.ok) for (const row of found.value.rows) products.set(row.id, row)
    if (!months.ok || !found.ok) askAgain(ids)
    return join()
  }

  const fetch = async (ids: readonly number[], signal: AbortSignal): Promise<readonly LiveContract[]> => {
    for (const id of ids) asked.add(id)
    return read(ids, signal).catch((error: unknown) => {
      askAgain(ids)
      throw error
    })
  }

  return {
    /** Takes a message's rows; returns the contracts that they completed. */
    take,
    /** Requests contracts; returns the completed ones. A contract unknown to the broker is not requested again. */
    fetch,
    /** Ids of unknown contracts in these facts. */
    unknownIn: (facts: readonly Fact[]): readonly number[] => {
      const ids = new Set<number>()
      for (const fact of facts) {
        if (fact.kind !== 'fill' && fact.kind !== 'position' && fact.kind !== 'order') continue
        const { contractId } = fact
        if (contractId !== null && !complete.has(contractId) && !asked.has(contractId)) ids.add(contractId)
      }
      return [...ids]
    },
    /** The contract of a name, with all contracts completed by the request, or null. */
    named: async (name: string, signal: AbortSignal): Promise<{ readonly contract: LiveContract; readonly fresh: readonly LiveContract[] } | null> => {
      const known = [...complete.values()].find((contract) => contract.name === name)
      if (known !== undefined) return { contract: known, fresh: [] }
      const answer = await login.read({ environment, path: '/contract/find', query: { name } }, signal)
      const row = answer.ok ? readLiveRow('contract', answer.value) : null
      if (row?.kind !== 'contract') return null
      const { id } = row.contract
      const before = take({ contracts: [row.contract], maturities: [], products: [] })
      const fresh = complete.has(id) ? before : [...before, ...(await fetch([id], signal))]
      const contract = complete.get(id)
      return contract === undefined ? null : { contract, fresh }
    },
  }
}

/** A line's state: `up` only once snapshot and lists are read after the socket was authorized. */
export type LineState = 'up' | 'connecting' | 'down'

/** A line's events, in order. */
export type LineEvent =
  /** `receivedAt` is `performance.now()` on arrival; facts of a snapshot or list may be old, socket facts are new. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[]; readonly receivedAt: number; readonly source: 'socket' | 'snapshot' | 'lists' }
  /** All lists were read: positions and fills of the current session, as of the newest socket facts. Positions were read first, so one may be missing beside its fill. */
  | { readonly kind: 'listed'; readonly facts: readonly Extract<Fact, { readonly kind: 'position' | 'fill' }>[] }
  | { readonly kind: 'accounts'; readonly accounts: readonly LiveAccount[] }
  | { readonly kind: 'contracts'; readonly contracts: readonly LiveContract[] }
  | { readonly kind: 'limits'; readonly rows: readonly LimitRow[] }
  | { readonly kind: 'state'; readonly state: LineState; readonly why: LineWhy | null }

const lookUps = 4
const firstLookUpMs = 500

type Deps = {
  readonly read: ReadPath
  readonly contracts: LineContracts
  readonly timing: Timing
  readonly signal: AbortSignal
  readonly emit: (event: LineEvent) => void
  readonly log: Log
}

const keyOf = (fact: Fact): string => `${fact.kind} ${String(fact.kind === 'cash' ? fact.accountId : fact.id)}`

/** Turns a line's socket messages and list reads into events. Emits facts as they come. Socket facts that arrive during a list read are newer than the lists and win. */
export const createLineReading = ({ read, contracts, timing, signal, emit, log }: Deps) => {
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
      const older = listed.value.facts.filter((fact) => !newer.has(keyOf(fact)))
      emitFacts(older, performance.now(), 'lists')
      emit({ kind: 'listed', facts: [...older, ...newer.values()].filter((fact) => fact.kind === 'position' || fact.kind === 'fill') })
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
