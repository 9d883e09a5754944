import type { Answer, Call } from './answers.ts'
import type { ServerMessage } from './frames.ts'
import { ACCESS_SECONDS, type Issue, type TokenStanding } from './grants.ts'
import type { LiveOrder, Why } from './orders.ts'
import type { FloorEvent } from './rows.ts'
import type { Environment } from './world.ts'

/** How a request goes unanswered: the connection stays silent or is cut. */
export type NoAnswer = 'silence' | 'cut'

/** Why the brokerage shuts down a socket. */
export type ShutdownReason = 'Maintenance' | 'ConnectionQuotaReached' | 'IPQuotaReached'

/** How the brokerage answers `splitResponses: true`: in one message, in several with one request id, or by `props` events after an empty answer. */
type SplitManner = 'one' | 'parts' | 'props'

/** Socket behavior of the real brokerage that is not documented; tests cover each variant. */
export type SocketManners = {
  /** Scale of heartbeat intervals and idle timeouts: 0.01 turns 15 s into 150 ms. */
  readonly timeScale: number
  readonly split: SplitManner
  /** Milliseconds between the parts of a split answer. */
  readonly apartMs: number
  /** Whether a sync without entity types returns none; otherwise it returns all. */
  readonly emptyByDefault: boolean
}

/** One attempt to authorize a socket; `path` is the socket's own: `/demo/v1/websocket`, followed by its login, if any. */
type SocketLogin = { readonly path: string; readonly host: string; readonly standing: TokenStanding }

/** Refuses a socket with a response or a shutdown. */
type LoginRefusal = { readonly status: 401 | 421 | 429 } | { readonly shutdown: ShutdownReason }

/** The socket that receives changes. */
export type ChangeLine = {
  readonly environment: Environment
  /** Null until it is authorized. */
  readonly login: () => string | null
  readonly send: (message: ServerMessage) => void
  /** Cuts it without a close frame. */
  readonly cut: () => void
  /** Keeps it open but sends nothing more. */
  readonly silence: () => void
  readonly shutdown: (reason: ShutdownReason) => void
}

/** A row change as sent. */
export type RowChange = Pick<FloorEvent, 'entityType' | 'eventType' | 'entity'>

/** Sends row changes on one socket. */
export type ChangeSender = {
  readonly send: (change: RowChange) => void
  /** The socket is closed. */
  readonly stop: () => void
}

/** One served request, without token and body. */
export type SeenRequest = {
  /** The request's host, `127.0.0.1:4000`. */
  readonly host: string
  /** The login of its valid token, if any. */
  readonly login: string | null
  readonly method: string
  /** Without the query: `/demo/v1/fill/list`. */
  readonly path: string
  /** 0 if it was not answered. */
  readonly status: number
}

/** Extension points. The demo uses none; tests inject faults and controls. */
export type Hooks = {
  /** Answers an HTTP request, or a request on a socket; `answer` produces the brokerage's own answer. */
  readonly handle: (call: Call, answer: () => Promise<Answer>) => Promise<Answer | NoAnswer>
  /** Terms of new tokens; a renewal issues no refresh token. */
  readonly issue: (call: Call, isRenewal: boolean) => Issue
  /** The HTTP status line that refuses a new socket, or null. */
  readonly refuseSocket: (path: string, host: string) => string | null
  /** Refuses to authorize a socket, or null. */
  readonly refuseLogin: (attempt: SocketLogin) => LoginRefusal | null
  /** Refuses a socket's `user/syncrequest`, or null. */
  readonly refuseSync: (call: Call) => Answer | NoAnswer | null
  readonly changesOn: (line: ChangeLine) => ChangeSender
  readonly manners: () => SocketManners
  /** Whether a login may subscribe to prices; `path` is `/md/v1/md/subscribequote`. */
  readonly quoteAccess: (login: string, path: string) => 'granted' | 'denied' | 'inaccessible'
  /** Refuses a new or a changed order, or null; `path` is `/demo/v1/order/placeorder`. */
  readonly refuseOrder: (path: string, accountId: number) => Why | null
  /** An accepted order is about to enter the market. */
  readonly startOrder: (path: string, order: LiveOrder, then: { readonly start: () => void; readonly reject: (why: Why) => void }) => void
  /** A working order is about to be canceled; `fill` fills it first. */
  readonly beforeCancel: (path: string, order: LiveOrder, fill: () => void) => void
  /** Called with every served request. */
  readonly saw: (request: SeenRequest) => void
}

/** A row change as a message. */
export const propsMessage = ({ entityType, eventType, entity }: RowChange): ServerMessage => ({ e: 'props', d: { entityType, eventType, entity } })

/** A brokerage without faults. */
export const noHooks: Hooks = {
  handle: (_, answer) => answer(),
  issue: () => ({ seconds: ACCESS_SECONDS, withRefresh: true }),
  refuseSocket: () => null,
  refuseLogin: () => null,
  refuseSync: () => null,
  changesOn: ({ send }) => ({ send: (change) => send(propsMessage(change)), stop: () => undefined }),
  manners: () => ({ timeScale: 1, split: 'parts', apartMs: 0, emptyByDefault: false }),
  quoteAccess: () => 'granted',
  refuseOrder: () => null,
  startOrder: (_path, _order, { start }) => start(),
  beforeCancel: () => undefined,
  saw: () => undefined,
}
