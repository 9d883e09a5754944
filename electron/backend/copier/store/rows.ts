import type { CopyGroup, GroupDraft, LedgerRow, LockReason, FollowerFigures } from '#shared/api/copier.ts'

/** A group with its owner and last saved state. */
export type SavedGroup = CopyGroup & { readonly userId: string; readonly state: 'off' | 'armed' | 'paused' }

/** A follower's saved state besides its rule. `day`: trading day of rejects and of a daily lock; `asksFirst`: ask before adding at the next look; `closing`: its user is having it closed. */
export type SavedFollower = { readonly groupId: string; readonly account: string; readonly lock: LockReason | null; readonly rejects: number; readonly day: string; readonly asksFirst: boolean; readonly closing: boolean }

/**
 * The saved stance of a follower's contract, signed. `held`: the copier's position; `yours`: the rest of the account's position; `base`: the uncopied
 * part of the leader's position; `apart`: the deliberate deviation of `held` from the target.
 */
export type SavedStance = {
  readonly groupId: string
  readonly account: string
  readonly contract: string
  readonly held: number
  readonly yours: number
  readonly base: number
  readonly apart: number
  readonly why: 'exit-filled' | 'by-hand' | null
  /** Whether a question to the user is open. */
  readonly asks: boolean
  /** The newest fill counted in `held` and `yours`. */
  readonly taken: TakenFill
}

/** A fill's time (UTC ms) and id, the order in which fills are counted. */
export type TakenFill = { readonly time: number; readonly id: number }

/** A group's last known leader position in a contract, and its newest counted fill. */
export type SavedLeader = { readonly groupId: string; readonly contract: string; readonly net: number; readonly taken: TakenFill }

/** An order's purpose. */
export type OrderPurpose = 'copy' | 'repair' | 'flatten' | 'exit' | 'entry'

/** An order before it is sent. `cause`: its ledger event. */
export type Intent = {
  readonly clOrdId: string
  readonly cause: number
  readonly groupId: string
  readonly account: string
  readonly contract: string
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly purpose: OrderPurpose
  /** Wire type and prices of resting orders. */
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

/** A dry run's simulated position in a contract since its group was armed, signed. */
export type DryRunPosition = { readonly account: string; readonly contract: string; readonly net: number }

/** An order's stage. `unknown`: the answer was lost; all but the first four are final. */
export type OrderStage = 'written' | 'sent' | 'acknowledged' | 'unknown' | 'filled' | 'cancelled' | 'rejected' | 'refused' | 'never-arrived' | 'dry-run'

/** An order's last saved state. */
export type SavedOrder = Intent & { readonly stage: OrderStage; readonly orderId: number | null; readonly filled: number; /** Its end reason, from `OrderNews`. */ readonly why: string | null }

/** An update of an order; given fields are written, the rest stays. Times are milliseconds since the leader's fill arrived, by one clock. */
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

/** A ledger event, before its orders. */
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
  readonly groups: () => readonly SavedGroup[]
  /** Returns the id, a new one if none is given. */
  readonly saveGroup: (group: { readonly userId: string; readonly id: string; readonly draft: GroupDraft }) => void
  readonly removeGroup: (id: string) => void
  /** Deletes everything of a user: groups, removed ones too, and their ledger. */
  readonly forgetUser: (userId: string) => void
  readonly setGroupState: (id: string, state: SavedGroup['state']) => void
  readonly followers: (groupId: string) => readonly SavedFollower[]
  readonly saveFollower: (follower: SavedFollower) => void
  readonly stances: (groupId: string) => readonly SavedStance[]
  readonly leaders: (groupId: string) => readonly SavedLeader[]
  /** Stores an event and returns its id; the same fill of the same group returns its existing id. */
  readonly writeCause: (cause: Cause) => number
  /** Writes event and orders in one transaction, on disk before it returns; `intents` get the event's id. The fast path of a leader's fill. */
  readonly writeIntents: (cause: Cause | number, intents: readonly Omit<Intent, 'cause'>[]) => number
  /**
   * Saves order news together with stances and leader positions in one transaction, so positions and fills never disagree. An all-zero stance without a
   * question is deleted.
   */
  readonly record: (news: readonly OrderNews[], standing?: { readonly stances: readonly SavedStance[]; readonly leaders: readonly SavedLeader[] }) => void
  readonly notSent: (rows: readonly NotSent[]) => void
  /** Every order without an end, oldest first. */
  /** The users of whom an order has no end, of groups that were removed too. */
  readonly usersWithOrders: () => readonly string[]
  readonly openOrders: () => readonly SavedOrder[]
  /** Which of these orders the copier placed, and their purpose, by broker order id or clOrdId. */
  readonly ordersOf: (account: string, sinceMs: number) => readonly SavedOrder[]
  /** A dry run's simulated positions since the group was last armed. */
  readonly pretended: (groupId: string) => readonly DryRunPosition[]
  readonly close: () => void
}

/** Ledger reads on a read-only connection. */
export type LedgerReads = {
  readonly ledger: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly before?: number | undefined; readonly limit: number }) => { readonly rows: readonly LedgerRow[]; readonly more: boolean }
  readonly figures: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly sinceMs: number }) => readonly FollowerFigures[]
  /** The next CSV chunk after event `after`: its text and the next cursor, null at the end. */
  readonly csv: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly after: number | null }) => { readonly text: string; readonly next: number | null }
}
