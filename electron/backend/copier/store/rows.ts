import type { CopyGroup, GroupDraft, LedgerRow, LockReason, FollowerFigures } from '#shared/api/copier.ts'

/** A group with its owner, and whether it stood armed or paused when last heard of. */
export type KeptGroup = CopyGroup & { readonly userId: string; readonly state: 'off' | 'armed' | 'paused' }

/** What is kept of a follower of a group beside its rule. `day` is the trading day to which rejects and the bounds' lock belong; `asksFirst`: what would be added at the next look is asked about. */
export type KeptFollower = { readonly groupId: string; readonly account: string; readonly lock: LockReason | null; readonly rejects: number; readonly day: string; readonly asksFirst: boolean }

/**
 * How a follower's contract stands, signed contracts. `held`: what the copier's own orders made, less what its user closed of it; `yours`: what
 * else the account holds; `base`: what the leader held at the start that is not copied; `apart`: how far from the target `held` is to stay.
 */
export type KeptStance = {
  readonly groupId: string
  readonly account: string
  readonly contract: string
  readonly held: number
  readonly yours: number
  readonly base: number
  readonly apart: number
  readonly why: 'exit-filled' | 'by-hand' | null
  /** Whether the user was asked about what was open and has not answered. */
  readonly asks: boolean
  /** The newest fill that is counted in `held` and `yours`. */
  readonly taken: TakenFill
}

/** A fill by its time (UTC ms) and number, in the order of which fills are counted. */
export type TakenFill = { readonly time: number; readonly id: number }

/** The leader's position in a contract that a group last knew, and the newest of its fills that is counted in it. */
export type KeptLeader = { readonly groupId: string; readonly contract: string; readonly net: number; readonly taken: TakenFill }

/** What an order is for. */
export type OrderPurpose = 'copy' | 'repair' | 'flatten' | 'exit' | 'entry'

/** An order before it is sent. `cause` is the ledger's event that it belongs to. */
export type Intent = {
  readonly clOrdId: string
  readonly cause: number
  readonly groupId: string
  readonly account: string
  readonly contract: string
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly purpose: OrderPurpose
  /** The wire's type and prices, for orders that work. */
  readonly type: 'Market' | 'Limit' | 'Stop' | 'StopLimit' | 'TrailingStop' | 'MIT'
  readonly price: number | null
  readonly stopPrice: number | null
  /** A trailing stop's distance. */
  readonly pegDifference: number | null
  /** For a mirrored exit or entry: the leader's order. */
  readonly leaderOrderId: number | null
  /** UTC ms. */
  readonly writtenAt: number
  readonly dryRun: boolean
}

/** What a dry run pretends to have traded in a contract since its group was armed, signed. */
export type Pretended = { readonly account: string; readonly contract: string; readonly net: number }

/** Where an order is. `unknown`: the answer was lost; all but the first four are ends. */
export type OrderStage = 'written' | 'sent' | 'acknowledged' | 'unknown' | 'filled' | 'cancelled' | 'rejected' | 'refused' | 'never-arrived' | 'dry-run'

/** An order as the copier last knew it. */
export type KeptOrder = Intent & { readonly stage: OrderStage; readonly orderId: number | null; readonly filled: number; /** What it ended with, as `OrderNews` told it. */ readonly why: string | null }

/** What became of an order; whatever is given is written, the rest stays. Times are milliseconds of one clock since the leader's fill was heard. */
export type OrderNews = {
  readonly clOrdId: string
  readonly stage?: OrderStage
  readonly orderId?: number
  readonly filled?: number
  /** Average price as exact decimal text. */
  readonly price?: string
  readonly toWireMs?: number
  readonly ackMs?: number
  readonly fillMs?: number
  /** Whole ticks times contracts against the leader (positive: worse), and money in 1/10,000. */
  readonly slippage?: { readonly ticks: number; readonly money: number; readonly currency: string }
  readonly why?: string
}

/** An event of the ledger, before its orders. */
export type Cause = {
  readonly groupId: string
  readonly at: number
  readonly kind: LedgerRow['kind']
  readonly leaderAccount: string
  readonly contract: string
  readonly fillId: string | null
  readonly side: 'buy' | 'sell' | null
  readonly qty: number
  readonly price: string | null
}

/** Why nothing was sent to a follower for an event. */
export type NotSent = { readonly cause: number; readonly account: string; readonly contract: string; readonly why: string }

/** The copier's own database, written by its thread alone. Every call is synchronous; each is one transaction. */
export type CopierStore = {
  readonly groups: () => readonly KeptGroup[]
  /** Gives the id: a new one where none is given. */
  readonly saveGroup: (group: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }) => void
  readonly removeGroup: (id: string) => void
  /** Deletes all that is kept of a user: groups, those that were removed too, and their ledger. */
  readonly forgetUser: (userId: string) => void
  readonly setGroupState: (id: string, state: KeptGroup['state']) => void
  readonly followers: (groupId: string) => readonly KeptFollower[]
  readonly saveFollower: (follower: KeptFollower) => void
  readonly stances: (groupId: string) => readonly KeptStance[]
  readonly leaders: (groupId: string) => readonly KeptLeader[]
  /** Keeps an event; gives its id. The same fill of the same group again gives the id that it has. */
  readonly writeCause: (cause: Cause) => number
  /** Event and orders in one transaction, on disk before it returns; `intents` get the event's id. The fast way of a leader's fill. */
  readonly writeIntents: (cause: Cause | number, intents: readonly Omit<Intent, 'cause'>[]) => number
  /**
   * Keeps what became of orders of the past few seconds, and how followers and leaders stand by it, in one transaction: what a follower holds and
   * what its orders filled never differ. A stance of all zeros that asks nothing is forgotten.
   */
  readonly tell: (news: readonly OrderNews[], standing?: { readonly stances: readonly KeptStance[]; readonly leaders: readonly KeptLeader[] }) => void
  readonly notSent: (rows: readonly NotSent[]) => void
  /** Every order without an end, oldest first. */
  /** The users of whom an order has no end, of groups that were removed too. */
  readonly usersWithOrders: () => readonly string[]
  readonly openOrders: () => readonly KeptOrder[]
  /** Which of these the copier placed, and what for: by the broker's order id, or by our own. */
  readonly ordersOf: (account: string, sinceMs: number) => readonly KeptOrder[]
  /** What the orders of a dry run came to since the group was last armed. */
  readonly pretended: (groupId: string) => readonly Pretended[]
  readonly close: () => void
}

/** Reads the ledger beside the copier, on a connection that cannot write. */
export type LedgerReads = {
  readonly ledger: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly before?: number | undefined; readonly limit: number }) => { readonly rows: readonly LedgerRow[]; readonly more: boolean }
  readonly figures: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly sinceMs: number }) => readonly FollowerFigures[]
  /** The next piece of the CSV after the event `after`: text, and where to go on, or null at the end. */
  readonly csv: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly after: number | null }) => { readonly text: string; readonly next: number | null }
}
