import type { WebSocket } from 'ws'
import { z } from 'zod'
import { type Answer, type Call, isJson, jsonOf } from './answers.ts'
import type { WireRow } from './contracts.ts'
import type { ServerMessage, SocketRequest } from './frames.ts'
import { type Grants, loginOfToken } from './grants.ts'
import { type Hooks, type NoAnswer, propsMessage, type ShutdownReason } from './hooks.ts'
import type { View } from './market.ts'
import type { FloorEvent } from './rows.ts'
import { openWire, tokenOf } from './wire.ts'
import type { Environment } from './world.ts'

/** A socket's subscriptions. */
type Subscription = {
  /** Null: of every entity. */
  readonly entityTypes: ReadonlySet<string> | null
  /** Whether an account is subscribed. */
  readonly account: (id: number) => boolean
  /** Whether every account is subscribed. */
  readonly all: boolean
  readonly split: boolean
}

// A split answer keeps the entities of one row together.
const PARTS = [
  { user: 'users', account: 'accounts', currency: 'currencies', contract: 'contracts', contractMaturity: 'contractMaturities', product: 'products', exchange: 'exchanges' },
  { cashBalance: 'cashBalances', position: 'positions', userAccountAutoLiq: 'userAccountAutoLiqs', accountRiskStatus: 'accountRiskStatuses' },
  { order: 'orders', orderVersion: 'orderVersions', command: 'commands', commandReport: 'commandReports', executionReport: 'executionReports' },
  { fill: 'fills', fillFee: 'fillFees', fillPair: 'fillPairs' },
] as const

/** The parts of a split answer. */
const syncParts: readonly number[] = [...PARTS.keys()]

const bodySchema = z.looseObject({
  splitResponses: z.boolean().default(false),
  users: z.array(z.int()).optional(),
  accounts: z.array(z.int()).optional(),
  entityTypes: z.array(z.string()).optional(),
  shardingExpression: z.object({ divisor: z.int().positive(), remainder: z.int().nonnegative(), expressionType: z.enum(['modAccountId', 'modUserId']) }).optional(),
})

/** Parses the body of `user/syncrequest`; returns the refusal if it is invalid. */
const readSync = (body: unknown, userId: number, emptyByDefault: boolean): Subscription | { readonly refused: string } => {
  const read = bodySchema.safeParse(body)
  if (!read.success) return { refused: 'Invalid request' }
  const { users, accounts, entityTypes, shardingExpression: shard, splitResponses } = read.data
  if (users !== undefined && (entityTypes !== undefined || shard !== undefined)) return { refused: 'users cannot be combined with entityTypes or shardingExpression' }
  if (accounts !== undefined && shard !== undefined) return { refused: 'accounts cannot be combined with shardingExpression' }
  if (users?.some((id) => id !== userId) === true) return { refused: 'Access is denied' }
  const types = entityTypes ?? (users === undefined && emptyByDefault ? [] : null)
  const sharded = (id: number): boolean => shard === undefined || (shard.expressionType === 'modAccountId' ? id : userId) % shard.divisor === shard.remainder
  return {
    entityTypes: types === null ? null : new Set(types),
    account: accounts === undefined ? sharded : (id) => accounts.includes(id),
    all: accounts === undefined && shard === undefined,
    split: splitResponses,
  }
}

/** One part of a login's rows, by entity. */
const syncRows = (view: View, subscription: Subscription, part: number): [entity: string, plural: string, rows: readonly WireRow[]][] =>
  Object.entries(PARTS[part] ?? {})
    .filter(([entity]) => isAsked(subscription, entity))
    .map(([entity, plural]) => [entity, plural, rowsOf(view, entity).filter((row) => isOfAccount(view, subscription, entity, row))])

/** Whether a change belongs to a subscription. */
const isWanted = (view: () => View | null, subscription: Subscription, { entityType, entity }: FloorEvent): boolean => {
  if (!isAsked(subscription, entityType)) return false
  if (subscription.all) return true
  const seen = view()
  return seen !== null && isOfAccount(seen, subscription, entityType, entity)
}

const isAsked = ({ entityTypes }: Subscription, entity: string): boolean => entityTypes === null || entityTypes.has(entity)

const isOfAccount = (view: View, { all, account }: Subscription, entity: string, row: WireRow): boolean => {
  const id = all ? null : accountOf(view, entity, row)
  return id === null || account(id)
}

const numberIn = (row: WireRow | null, field: string): number | null => {
  const value = row?.[field]
  return typeof value === 'number' ? value : null
}

/** The account of a row, found through its order, command, position or fill; null for a row without an account. */
const accountOf = (view: View, entity: string, row: WireRow): number | null => {
  if (entity === 'account' || entity === 'userAccountAutoLiq' || entity === 'accountRiskStatus') return row.id
  const own = numberIn(row, 'accountId')
  if (own !== null) return own
  const position = numberIn(row, 'positionId')
  if (position !== null) return numberIn(view.row('position', position), 'accountId')
  const source = entity === 'fillFee' ? view.row('fill', row.id) : entity === 'commandReport' ? view.row('command', numberIn(row, 'commandId') ?? 0) : row
  const order = numberIn(source, 'orderId')
  return order === null ? null : numberIn(view.row('order', order), 'accountId')
}

/** The part of the contract library that positions and orders use; clients request the rest separately. */
const rowsOf = (view: View, entity: string): readonly WireRow[] => {
  const rows = view.rows(entity) ?? []
  const fields: Readonly<Record<string, readonly [master: string, field: string]>> = {
    contractMaturity: ['contract', 'contractMaturityId'], product: ['contractMaturity', 'productId'], exchange: ['product', 'exchangeId'],
  }
  if (entity === 'contract') {
    const traded = new Set(['position', 'order'].flatMap((each) => (view.rows(each) ?? []).map((row) => row['contractId'])))
    return rows.filter(({ id }) => traded.has(id))
  }
  const [master, field] = fields[entity] ?? []
  if (master === undefined || field === undefined) return rows
  const used = new Set(rowsOf(view, master).map((row) => row[field]))
  return rows.filter(({ id }) => used.has(id))
}

/** Dependencies of a socket. */
export type SocketDeps = {
  readonly grants: Grants
  readonly hooks: Hooks
  readonly view: (userId: number, environment: Environment) => View | null
  readonly loginName: (userId: number) => string
  readonly respond: (call: Call) => Promise<Answer | NoAnswer>
}

// These read parameters only from the query.
const QUERY_ONLY = /\/(?:item|items|find|suggest|deps|ldeps)$/
const MISSPELT_ORDER = /^order\w*\/\w*[A-Z]/

const fieldsSchema = z.record(z.string(), z.unknown()).catch({})

/** One open socket. */
export type LiveSocket = ReturnType<typeof serveSocket>

/** Serves one connection from its first frame to its end. */
export const serveSocket = (deps: SocketDeps, socket: WebSocket, environment: Environment, host: string) => {
  const { grants, hooks } = deps
  const { manners } = hooks
  let session: { readonly token: string; readonly userId: number } | null = null
  let subscription: Subscription | null = null
  const timers = new Set<NodeJS.Timeout>()

  const login = (): string | null => (session === null ? null : deps.loginName(session.userId))
  const ofSession = (): View | null => (session === null ? null : deps.view(session.userId, environment))

  const wire = openWire(socket, {
    timeScale: () => manners().timeScale,
    onRequest: (request) => void serve(request).catch(cut),
    onClose: () => {
      for (const timer of timers) clearTimeout(timer)
      changes.stop()
    },
  })
  const { send, cut, silence } = wire
  const shutdown = (reasonCode: ShutdownReason): void => {
    send({ e: 'shutdown', d: { reasonCode, reason: REASONS[reasonCode] } })
    wire.close()
  }
  const changes = hooks.changesOn({ environment, login, send, cut, silence, shutdown })

  const authorize = ({ id, body }: SocketRequest): void => {
    const token = tokenOf(body)
    const standing = grants.standing(token)
    const refused = hooks.refuseLogin({ path: `/${environment}/v1/websocket${session === null ? '' : `/${login()}`}`, host, standing })
    if (refused !== null) return 'shutdown' in refused ? shutdown(refused.shutdown) : send({ s: refused.status, i: id, ...(refused.status === 401 ? { d: DENIED } : {}) })
    if (standing.kind === 'pushed-out') return send({ s: standing.status, i: id, d: '' })
    if (standing.kind === 'unknown') return send({ s: 401, i: id, d: DENIED })
    session = { token, userId: standing.userId }
    send({ s: 200, i: id })
  }

  const sync = (call: Call, id: number, userId: number): void => {
    const struck = hooks.refuseSync(call)
    if (struck !== null) return answer(id, struck)
    if (subscription !== null) return send({ s: 400, i: id, d: 'Already synchronised' })
    const subscribed = readSync(call.json ?? {}, userId, manners().emptyByDefault)
    if ('refused' in subscribed) return send({ s: 400, i: id, d: subscribed.refused })
    subscription = subscribed
    snapshot(subscribed, id)
  }

  const snapshot = (subscribed: Subscription, id: number): void => {
    const { split, apartMs } = manners()
    const rowsOfPart = (part: number) => {
      const view = ofSession()
      return view === null ? [] : syncRows(view, subscribed, part)
    }
    const arrays = (parts: readonly number[]) => Object.fromEntries(parts.flatMap(rowsOfPart).map(([, plural, rows]) => [plural, rows]))
    if (!subscribed.split || split === 'one') return send({ s: 200, i: id, d: arrays(syncParts) })
    if (split === 'props') send({ s: 200, i: id, d: {} })
    syncParts.forEach((part, place) => {
      later(place * apartMs, () => {
        if (split === 'parts') return send({ s: 200, i: id, d: arrays([part]) })
        for (const [entityType, , rows] of rowsOfPart(part)) for (const entity of rows) send(propsMessage({ entityType, eventType: 'Created', entity }))
      })
    })
  }

  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms)
    timers.add(timer)
  }

  const answer = (id: number, outcome: Answer | NoAnswer): void => {
    if (outcome === 'cut') return cut()
    if (outcome !== 'silence') send(messageOf(id, outcome))
  }

  const handle = async (request: SocketRequest): Promise<void> => {
    const { endpoint, id, query } = request
    if (endpoint === 'authorize') return authorize(request)
    if (session === null || MISSPELT_ORDER.test(endpoint)) return send({ s: 401, i: id, d: DENIED })
    if (QUERY_ONLY.test(endpoint) && query === '') return send({ s: 404, i: id, d: '' })
    const call = callOf(request, environment, host, session.token)
    if (endpoint === 'user/syncrequest') return sync(call, id, session.userId)
    answer(id, await deps.respond(call))
  }

  const serve = async (request: SocketRequest): Promise<void> => {
    await handle(request)
    hooks.saw({ host, login: request.endpoint === 'authorize' ? loginOfToken(deps, tokenOf(request.body)) : login(), method: 'SOCKET', path: `/${environment}/v1/${request.endpoint}`, status: 0 })
  }

  wire.open()

  return {
    environment,
    /** Null until it is authorized. */
    login,
    synced: (): boolean => subscription !== null,
    publish: (change: FloorEvent): void => {
      if (session === null || subscription === null || change.environment !== environment || !change.userIds.includes(session.userId)) return
      if (isWanted(ofSession, subscription, change)) changes.send(change)
    },
    /** Cuts it without a close frame. */
    cut,
    shutdown,
    /** Keeps it open but sends nothing more. */
    silence,
    /** Cuts it if another login closed its session. */
    recheck: (): void => {
      if (session !== null && grants.standing(session.token).kind === 'pushed-out') cut()
    },
  }
}

const DENIED = 'Access is denied'
const REASONS: Readonly<Record<ShutdownReason, string>> = {
  Maintenance: 'The server goes down for maintenance',
  ConnectionQuotaReached: 'Too many connections of this user',
  IPQuotaReached: 'Too many connections of this address',
}

const callOf = ({ endpoint, query, body }: SocketRequest, environment: Environment, host: string, token: string): Call => {
  const json = jsonOf(body)
  return {
    method: body === '' ? 'GET' : 'POST',
    path: `/${environment}/v1/${endpoint}`,
    environment,
    below: `/v1/${endpoint}`,
    query: new URLSearchParams(query),
    body: fieldsSchema.parse(json),
    json,
    host,
    authorization: `Bearer ${token}`,
    cookie: '',
  }
}

const messageOf = (id: number, answer: Answer): ServerMessage => {
  const body = String(answer.body)
  if (answer.status === 429) return { s: 429, i: id }
  if (answer.status !== 200) return { s: answer.status, i: id, d: body }
  return { s: 200, i: id, d: isJson(answer) ? (jsonOf(body) ?? body) : body }
}
