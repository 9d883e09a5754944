import type { Answer, Call } from './answers.ts'
import type { ServerMessage } from './frames.ts'
import { ACCESS_SECONDS, type Issue, type TokenStanding } from './grants.ts'
import type { LiveOrder, Why } from './orders.ts'
import type { FloorEvent } from './rows.ts'
import type { Environment } from './world.ts'

/** How a request ends that is not answered: the line stays silent, or is cut. */
export type NoAnswer = 'silence' | 'cut'

/** Why the brokerage shuts a socket down. */
export type ShutdownReason = 'Maintenance' | 'ConnectionQuotaReached' | 'IPQuotaReached'

/** How the brokerage answers `splitResponses: true`: in one message, in several under one number, or by `props` events after an empty answer. */
type SplitManner = 'one' | 'parts' | 'props'

/** What the real brokerage's sockets may do either way, since nobody knows which. */
export type SocketManners = {
  /** How long heartbeats and the client's silence take, of their time in life: 0.01 makes the 15 s 150 ms. */
  readonly timeScale: number
  readonly split: SplitManner
  /** Milliseconds between the parts of a split answer. */
  readonly apartMs: number
  /** Whether a sync that names no entity types gets none of them; else it gets all. */
  readonly emptyByDefault: boolean
}

/** One attempt to authorize a socket; `path` is the socket's own: `/demo/v1/websocket`, with its login behind it where it has one. */
type SocketLogin = { readonly path: string; readonly host: string; readonly standing: TokenStanding }

/** How a socket is refused: by an answer, or by a shutdown. */
type LoginRefusal = { readonly status: 401 | 421 | 429 } | { readonly shutdown: ShutdownReason }

/** The socket that changes are sent on. */
export type ChangeLine = {
  readonly environment: Environment
  /** Null before it is authorized. */
  readonly login: () => string | null
  readonly send: (message: ServerMessage) => void
  /** Ends it without a close frame. */
  readonly cut: () => void
  /** Leaves it open and sends nothing more. */
  readonly silence: () => void
  readonly shutdown: (reason: ShutdownReason) => void
}

/** A row change, as it is sent. */
export type RowChange = Pick<FloorEvent, 'entityType' | 'eventType' | 'entity'>

/** Sends row changes on one socket. */
export type ChangeSender = {
  readonly send: (change: RowChange) => void
  /** The socket is closed. */
  readonly stop: () => void
}

/** One request that was served; never its token or body. */
export type SeenRequest = {
  /** The host that it came to, `127.0.0.1:4000`. */
  readonly host: string
  /** The login whose good token came with it, if any. */
  readonly login: string | null
  readonly method: string
  /** Without the query: `/demo/v1/fill/list`. */
  readonly path: string
  /** 0 where no answer was sent. */
  readonly status: number
  /** Time that the stand-in itself spent, milliseconds. */
  readonly busyMs: number
}

/** Where others can take part in what the brokerage does. The demo plugs nothing in; tests plug in faults and controls. */
export type Hooks = {
  /** Answers an HTTP request, or a request on a socket; `answer` is what the brokerage itself says. */
  readonly handle: (call: Call, answer: () => Promise<Answer>) => Promise<Answer | NoAnswer>
  /** What new tokens are worth; a renewal gives no refresh token. */
  readonly issue: (call: Call, isRenewal: boolean) => Issue
  /** The HTTP status line that a new socket is refused with, or null. */
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
  /** Hears of every request that was served. */
  readonly saw: (request: SeenRequest) => void
}

/** A row change as a message. */
export const propsMessage = ({ entityType, eventType, entity }: RowChange): ServerMessage => ({ e: 'props', d: { entityType, eventType, entity } })

/** A brokerage that does everything right. */
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
