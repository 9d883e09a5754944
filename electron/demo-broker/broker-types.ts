import type { Faults } from './faults.ts'
import type { Floor } from './floor.ts'
import type { Hand } from './floor-hand.ts'
import type { Purpose } from './moves.ts'
import type { Quotes } from './quotes-desk.ts'
import type { Archive } from './report-tables.ts'
import type { SocketManners } from './socket.ts'
import type { Sockets } from './sockets.ts'

/** The two hosts of the brokerage: real money and simulated money. */
export type Environment = 'live' | 'demo'

/** Plain accounts that live orders are placed on. */
export type FloorScenario = {
  readonly kind: 'floor'
  /** Each with so many accounts; they are numbered through, `DEMO730001` where the money is simulated and `730001` where it is real. */
  readonly logins: readonly { readonly name: string; readonly live: number; readonly demo: number }[]
  /** What is open at the start, in a product's front month and at its first price; `overnight`: since the session before. */
  readonly openPositions?: readonly { readonly account: string; readonly product: string; readonly net: number; readonly overnight?: boolean }[]
}

/** What the stand-in serves: the seeded story, one session of many fills for measuring, or accounts for live orders. */
export type DemoScenario =
  /** `dollarsOnly` leaves out what is traded in euros: its totals are one figure each. */
  | { readonly kind: 'seeded'; readonly dollarsOnly?: boolean }
  | { readonly kind: 'volume'; readonly fills: number; readonly accounts: number; readonly contracts: number }
  | FloorScenario

/** How to start the stand-in. */
export type DemoBrokerOptions = {
  /** The last session's trading day, `YYYY-MM-DD`, a weekday. */
  readonly anchor: string
  /** The same seed and anchor give the same brokerage to the last byte; `DEFAULT_SEED` unless told. */
  readonly seed?: number
  /** 0, any free port, unless told. */
  readonly port?: number
  readonly scenario?: DemoScenario
  /** Where the market's clock stands at first, UTC milliseconds; the last stop of the walk unless told. */
  readonly now?: number
  readonly clientId?: string
  readonly clientSecret?: string
  /** Redirect URIs that are registered beside those on loopback, which always are. */
  readonly redirectUris?: readonly string[]
  /** A file that keeps logins' tokens over a restart; without one they die with the process. */
  readonly stateFile?: string
  /** The time that tokens, codes and penalties go by, UTC milliseconds; the computer's unless told. */
  readonly wallNow?: () => number
  /** How its sockets behave at first. */
  readonly sockets?: Partial<SocketManners>
}

/** A moment of the demo at which a client should sync. */
export type ClockStop = {
  /** The trading day that runs at that moment. */
  readonly session: string
  /** UTC milliseconds. */
  readonly at: number
}

/** One login of the stand-in, with the accounts that it sees. */
export type DemoLogin = {
  readonly name: string
  readonly userId: number
  readonly accounts: readonly { readonly id: number; readonly name: string; readonly environment: Environment }[]
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

/** A running stand-in brokerage. */
export type DemoBroker = {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly origins: {
    /** On `localhost`, so that an application on 127.0.0.1 meets it as another site. */
    readonly consentUrl: string
    /** `http://127.0.0.1:<port>/live/v1` */
    readonly liveApi: string
    /** `http://127.0.0.1:<port>/demo/v1` */
    readonly demoApi: string
    /** The bare address of the code exchange and the one below /v1. */
    readonly tokenUrls: readonly [string, string]
    /** `http://127.0.0.1:<port>/live/rpt/v1`, and the same of the other side. */
    readonly reports: { readonly live: string; readonly demo: string }
    /** `http://127.0.0.1:<port>/md/v1`, whose socket tells prices. */
    readonly quotes: string
  }
  readonly clientId: string
  readonly clientSecret: string
  /** Opens `/_demo/...` as a bearer token. */
  readonly controlToken: string
  readonly logins: readonly DemoLogin[]
  /** The moments to walk through, in order: each session shortly before its end, the last one also in the middle. */
  readonly walk: readonly ClockStop[]
  /** The market's clock, which stands still until it is set. */
  readonly clock: { readonly now: () => number; readonly set: (now: number) => void }
  readonly faults: Faults
  /** Where live orders meet the market. */
  readonly floor: Floor
  /** Somebody who trades by hand, sets prices and restricts accounts. */
  readonly hand: Hand
  /** All that happened up to the market's clock, half a year before the walk included: the truth behind the reports. */
  readonly archive: () => Promise<Archive>
  /** Gives an account another name, as a firm does when an evaluation is passed. */
  readonly rename: (accountId: number, name: string) => void
  readonly sessions: {
    /** How many sessions of the login are open. */
    readonly open: (login: string) => number
    /** Kills the access tokens of the login; its refresh tokens live on. */
    readonly killAccess: (login: string) => void
    /** Kills every token of the login, as when its user withdraws the consent. */
    readonly revoke: (login: string) => void
    /** Closes the login's sessions as a third one elsewhere does: their tokens answer with `status` from now on. */
    readonly pushOut: (login: string, status: 408 | 429 | 500) => void
  }
  /** Listens at one more host for each purpose, for an organization that moves there. */
  readonly openHosts: () => Promise<Readonly<Record<Purpose, string>>>
  /** The WebSockets that stand open, but for those of prices. */
  readonly sockets: Sockets
  /** Prices, and the sockets that tell them. */
  readonly quotes: Quotes
  /** What was asked since the start or the last clearing. */
  readonly traffic: { readonly seen: () => readonly SeenRequest[]; readonly clear: () => void }
  /** Cuts every connection and frees the port. */
  readonly stop: () => Promise<void>
}
