import type { WebSocket } from 'ws'
import { z } from 'zod'
import { isJson, type Answer, type Call } from './answers.ts'
import { GOODBYE_FRAME, HEARTBEAT_FRAME, messagesFrame, OPEN_FRAME, readFrame, type ServerMessage, type SocketRequest } from './frames.ts'
import { loginOfToken, type Grants } from './grants.ts'
import { propsMessage, type Hooks, type NoAnswer, type ShutdownReason } from './hooks.ts'
import type { View } from './market.ts'
import type { FloorEvent } from './rows.ts'
import { isWanted, readSync, syncParts, syncRows, type Subscription } from './sync-request.ts'
import type { Environment } from './world.ts'

/** Dependencies of a socket. */
export type SocketParts = {
  readonly grants: Grants
  readonly hooks: Hooks
  readonly view: (userId: number, environment: Environment) => View | null
  readonly loginName: (userId: number) => string
  readonly respond: (call: Call) => Promise<Answer | NoAnswer>
}

const HEARTBEAT_MS = 2500
const CLIENT_SILENCE_MS = 15_000
// These read parameters only from the query.
const READING = /\/(?:item|items|find|suggest|deps|ldeps)$/
const MISSPELT_ORDER = /^order\w*\/\w*[A-Z]/

const fieldsSchema = z.record(z.string(), z.unknown()).catch({})
const tokenSchema = z.string().min(1)

/** One open socket. */
export type LiveSocket = ReturnType<typeof serveSocket>

/** Serves one connection from its first frame to its end. */
export const serveSocket = (parts: SocketParts, wire: WebSocket, environment: Environment, host: string) => {
  const { grants, hooks } = parts
  const { manners } = hooks
  let session: { readonly token: string; readonly userId: number } | null = null
  let subscription: Subscription | null = null
  let silent = false
  let waiting: ServerMessage[] = []
  let flushing: NodeJS.Immediate | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let impatience: NodeJS.Timeout | undefined
  const parting = new Set<NodeJS.Timeout>()

  const login = (): string | null => (session === null ? null : parts.loginName(session.userId))
  const ofSession = (): View | null => (session === null ? null : parts.view(session.userId, environment))

  const put = (frame: string): void => {
    if (silent || wire.readyState !== wire.OPEN) return
    wire.send(frame)
    clearTimeout(heartbeat)
    heartbeat = setTimeout(() => put(HEARTBEAT_FRAME), HEARTBEAT_MS * manners().timeScale)
  }
  const flush = (): void => {
    const messages = waiting
    clearImmediate(flushing)
    flushing = undefined
    waiting = []
    if (messages.length > 0) put(messagesFrame(messages))
  }
  // Messages of one event loop turn go out as one frame.
  const send = (message: ServerMessage): void => {
    waiting.push(message)
    flushing ??= setImmediate(flush)
  }
  const noteActivity = (): void => {
    clearTimeout(impatience)
    impatience = setTimeout(() => goodbye(), CLIENT_SILENCE_MS * manners().timeScale)
  }
  const goodbye = (): void => {
    put(GOODBYE_FRAME)
    wire.close(3000, 'Go away!')
  }
  const cut = (): void => wire.terminate()
  const silence = (): void => void (silent = true)
  const shutdown = (reasonCode: ShutdownReason): void => {
    send({ e: 'shutdown', d: { reasonCode, reason: REASONS[reasonCode] } })
    flush()
    wire.close(1000)
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
      parting.delete(timer)
      act()
    }, ms)
    parting.add(timer)
  }

  const answer = (id: number, outcome: Answer | NoAnswer): void => {
    if (outcome === 'cut') return cut()
    if (outcome !== 'silence') send(messageOf(id, outcome))
  }

  const handle = async (request: SocketRequest): Promise<void> => {
    const { endpoint, id, query } = request
    if (endpoint === 'authorize') return authorize(request)
    if (session === null || MISSPELT_ORDER.test(endpoint)) return send({ s: 401, i: id, d: DENIED })
    if (READING.test(endpoint) && query === '') return send({ s: 404, i: id, d: '' })
    const call = callOf(request, environment, host, session.token)
    if (endpoint === 'user/syncrequest') return sync(call, id, session.userId)
    answer(id, await parts.respond(call))
  }

  const listened = async (request: SocketRequest): Promise<void> => {
    await handle(request)
    hooks.saw({ host, login: request.endpoint === 'authorize' ? loginOfToken(parts, tokenOf(request.body)) : login(), method: 'SOCKET', path: `/${environment}/v1/${request.endpoint}`, status: 0 })
  }

  wire.on('message', (data, binary) => {
    noteActivity()
    // Only Node buffers arrive: the server does not set another binary type.
    const frame = binary || !Buffer.isBuffer(data) ? null : readFrame(data.toString('utf8'))
    if (frame === null) return goodbye()
    if (frame.kind === 'request') void listened(frame).catch(cut)
  })
  wire.on('ping', (data) => {
    if (!silent) wire.pong(data)
  })
  wire.on('error', cut)
  wire.on('close', () => {
    for (const timer of [heartbeat, impatience, ...parting]) clearTimeout(timer)
    clearImmediate(flushing)
    changes.stop()
  })
  put(OPEN_FRAME)
  noteActivity()

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

/** A token is sent raw, or as a JSON string. */
const tokenOf = (body: string): string => {
  const quoted = tokenSchema.safeParse(jsonOf(body))
  return quoted.success ? quoted.data : body.trim()
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

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
