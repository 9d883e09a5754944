import type { Contract, Product } from './contracts.ts'

/** The two hosts of the brokerage: real money and simulated money. */
export type Environment = 'live' | 'demo'

/** The two sides as the API names them. */
export type Action = 'Buy' | 'Sell'

/** An account's risk limits, in 1/10,000; the trailing one follows the highest end-of-session balance. */
export type AccountLimits = {
  readonly dailyLoss: number | null
  readonly trailing: number | null
  /** When everything is closed, UTC ms. */
  readonly flattenAt?: number
}

/** One account. */
export type Account = {
  readonly id: number
  readonly name: string
  readonly environment: Environment
  /** The account's legal owner: the firm, for a prop firm's account. */
  readonly ownerId: number
  /** The login that trades it. */
  readonly traderId: number
  readonly evaluationSize: number | null
  /** Whether it may only reduce positions. */
  readonly restricted?: boolean
  readonly closed?: boolean
  /** Its risk limits, if any. */
  readonly limits?: AccountLimits
  /** Deposits and withdrawals in the running session, in 1/10,000 of its first currency. */
  readonly moved?: number
  /** What a trader of the firm's money began with, in 1/10,000 of its first currency: profit beyond its cash was paid out month by month. */
  readonly began?: number
  /** Its cash before the first session, by currency, in 1/10,000; the first is its own currency. */
  readonly cash: readonly { readonly id: number; readonly currency: Product['currency']; readonly opening: number }[]
}

/** A point in time at which a client should sync. */
export type ClockStop = {
  /** The trading day at that time. */
  readonly session: string
  /** UTC milliseconds. */
  readonly at: number
}

/** A login and the accounts that it sees. */
export type DemoLogin = {
  readonly name: string
  readonly userId: number
  readonly accounts: readonly { readonly id: number; readonly name: string; readonly environment: Environment }[]
}

/** A user who can log in. */
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
  /** When the exchange busted it, or null. */
  readonly bustedAt: number | null
}

/** One order, whose price may have been changed once. */
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
  /** Limit or stop price, the limit for a StopLimit; null for a market order. */
  readonly ticks: number | null
  /** The price that it worked at before it was changed to `ticks`, and when that was; missing where it never was. */
  readonly moved?: { readonly at: number; readonly from: number }
  /** The first of the ids of the rows of its end, and of its change: a report each, a command and a version. */
  readonly rowIds: number
  /** When it filled completely or ended otherwise. */
  readonly endsAt: number
  readonly outcome: 'Filled' | 'Canceled' | 'Rejected' | 'Expired'
}

/** Everything that ever happens at one demo brokerage; the clock decides what is visible. */
export type World = {
  readonly logins: readonly Login[]
  readonly accounts: readonly Account[]
  /** Trading days, oldest first. */
  readonly sessions: readonly string[]
  /** By time, then id. */
  readonly orders: readonly Order[]
  /** By time, then id. After each id, `pairRoom` ids are reserved for the pairs that it closes, and one for the position that it leaves open. */
  readonly executions: readonly Execution[]
  readonly positionIds: ReadonlyMap<string, number>
  readonly walk: readonly ClockStop[]
  /** A contract's price in whole ticks at a time in a session. */
  readonly mark: (contract: Contract, session: string, time: number) => number
}

/** Minimum number of ids reserved after an execution's id for the pairs that it closes. */
export const PAIR_IDS = 24

/** Number of ids reserved after an execution's id: it closes at most as many lots as it has contracts. */
export const pairRoom = ({ qty }: Pick<Execution, 'qty'>): number => Math.max(PAIR_IDS, qty)

/** The key of an account's position in a contract during a session. */
export const positionKey = (session: string, accountId: number, contractId: number): string =>
  `${session}/${accountId}/${contractId}`

/** The id of the carried-over position row if the next session has no trades. */
export const carriedPositionId = (fill: Execution): number => fill.id + pairRoom(fill) + 1

/** The orders and executions of one session before they have ids. */
export type OrderDraft = Omit<Order, 'id' | 'versionId' | 'rowIds'> & {
  readonly fills: readonly Pick<Execution, 'time' | 'qty' | 'ticks' | 'bustedAt'>[]
}
