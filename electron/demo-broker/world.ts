import type { Contract, Product } from './contracts.ts'

/** The two hosts of the brokerage: real money and simulated money. */
export type Environment = 'live' | 'demo'

/** The two sides as the wire names them. */
export type Action = 'Buy' | 'Sell'

/** The limits that a broker holds an account to, in 1/10,000; a trailing one follows the highest balance at the end of a session. */
export type AccountLimits = { readonly dailyLoss: number | null; readonly trailing: number | null; /** When everything is closed, UTC ms. */ readonly flattenAt?: number }

/** One account of the stand-in. */
export type Account = {
  readonly id: number
  readonly name: string
  readonly environment: Environment
  /** Whose account it is by the books: a prop firm's accounts belong to the firm. */
  readonly ownerId: number
  /** The login that trades it. */
  readonly traderId: number
  readonly evaluationSize: number | null
  /** Whether it may only reduce. */
  readonly restricted?: boolean
  readonly closed?: boolean
  /** What the broker holds it to, where it does. */
  readonly limits?: AccountLimits
  /** What went in or out in the running session, in 1/10,000 of its first currency. */
  readonly moved?: number
  /** Its cash before the first session, by currency, in 1/10,000; the first is its own currency. */
  readonly cash: readonly { readonly id: number; readonly currency: Product['currency']; readonly opening: number }[]
}

/** A moment of the demo at which a client should sync. */
export type ClockStop = {
  /** The trading day that runs at that moment. */
  readonly session: string
  /** UTC milliseconds. */
  readonly at: number
}

/** One login of the stand-in as others know it, with the accounts that it sees. */
export type DemoLogin = {
  readonly name: string
  readonly userId: number
  readonly accounts: readonly { readonly id: number; readonly name: string; readonly environment: Environment }[]
}

/** One person who can log in. */
export type Login = {
  readonly userId: number
  readonly name: string
  readonly fullName: string
  readonly email: string
  readonly organization: string | null
}

/** One execution, in whole ticks. */
export type Execution = {
  readonly id: number
  readonly orderId: number
  readonly accountId: number
  readonly contract: Contract
  readonly session: string
  /** UTC milliseconds. */
  readonly time: number
  readonly action: Action
  readonly qty: number
  readonly ticks: number
  /** The moment at which the exchange took it back, or null. */
  readonly bustedAt: number | null
}

/** One order with the version that it kept to its end. */
export type Order = {
  readonly id: number
  readonly versionId: number
  readonly accountId: number
  readonly contract: Contract
  readonly session: string
  /** UTC milliseconds. */
  readonly time: number
  readonly action: Action
  readonly qty: number
  readonly type: 'Market' | 'Limit' | 'Stop' | 'StopLimit' | 'TrailingStop' | 'MIT'
  /** Limit or stop price, of a StopLimit the limit; null for a market order. */
  readonly ticks: number | null
  /** When it was filled to the last contract, or ended otherwise. */
  readonly endsAt: number
  readonly outcome: 'Filled' | 'Canceled' | 'Rejected' | 'Expired'
}

/** Everything that ever happens at one stand-in; what shows of it depends on the clock. */
export type World = {
  readonly logins: readonly Login[]
  readonly accounts: readonly Account[]
  /** Trading days, oldest first. */
  readonly sessions: readonly string[]
  /** By time, then id. */
  readonly orders: readonly Order[]
  /** By time, then id; behind each id `pairRoom` numbers are left free for the pairs that it closes, and one for the position that it leaves open. */
  readonly executions: readonly Execution[]
  readonly positionIds: ReadonlyMap<string, number>
  readonly walk: readonly ClockStop[]
  /** What a contract trades at, in whole ticks, at a moment of a session. */
  readonly mark: (contract: Contract, session: string, time: number) => number
}

/** How many ids at least follow an execution's own, for the pairs that it closes. */
export const PAIR_IDS = 24

/** How many ids follow an execution's own: it closes no more lots than it has contracts. */
export const pairRoom = ({ qty }: Pick<Execution, 'qty'>): number => Math.max(PAIR_IDS, qty)

/** The key of an account's position in a contract during a session. */
export const positionKey = (session: string, accountId: number, contractId: number): string =>
  `${session}/${accountId}/${contractId}`

/** The id of the position row that an execution's open contracts get when nothing is traded in the next session. */
export const carriedPositionId = (fill: Execution): number => fill.id + pairRoom(fill) + 1

/** The orders and executions of one session before they have ids. */
export type OrderDraft = Omit<Order, 'id' | 'versionId'> & {
  readonly fills: readonly Pick<Execution, 'time' | 'qty' | 'ticks' | 'bustedAt'>[]
}
