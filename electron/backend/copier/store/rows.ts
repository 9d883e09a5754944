import type { CopyGroup, DryRunAnswer, LedgerRow, FollowerFigures } from '#shared/api/copier.ts'
import type { PastFill } from '#shared/copier/book.ts'
import type { KnownFees } from '../../own-data/charged-fees.ts'
import type { events, followers, groups, leaders, notSent, orders, stances } from './schema.ts'

type OrderRow = Readonly<typeof orders.$inferSelect>

/** A group with its owner and last saved state. */
export type SavedGroup = CopyGroup & Readonly<Pick<typeof groups.$inferSelect, 'userId' | 'state'>>

/** A follower's saved state besides its rule. */
export type SavedFollower = Readonly<typeof followers.$inferSelect>

/** The saved stance of a follower's contract. `taken`: the newest fill counted in `held` and `yours`. */
export type SavedStance = Readonly<Omit<typeof stances.$inferSelect, 'takenTime' | 'takenId'>> & { readonly taken: CountedFill }

/** A fill's time (UTC ms) and id, the order in which fills are counted. */
export type CountedFill = { readonly time: number; readonly id: number }

/** A group's last known leader position in a contract, and its newest counted fill. */
export type SavedLeader = Readonly<Omit<typeof leaders.$inferSelect, 'takenTime' | 'takenId'>> & { readonly taken: CountedFill }

/** A kept fill of a leader's order that may work beyond the session. */
export type SavedFill = PastFill & { readonly groupId: string; readonly account: string }

/** A leader's order, by its group and account. */
export type LeaderOrder = Pick<SavedFill, 'groupId' | 'account' | 'orderId'>

/** An order's purpose. */
export type OrderPurpose = OrderRow['purpose']

/** An order before it is sent: `cause` is its ledger event, `price` the limit of a resting order. */
export type Intent = Pick<OrderRow, 'clOrdId' | 'cause' | 'account' | 'contract' | 'side' | 'qty' | 'purpose' | 'type' | 'stopPrice' | 'pegDifference' | 'leaderOrderId' | 'writtenAt' | 'dryRun'> & {
  readonly groupId: string
  readonly price: OrderRow['limitPrice']
}

/** An order whose ledger event is not written yet. */
export type UnwrittenIntent = Omit<Intent, 'cause'>

/** A dry run's simulated position in a contract since its group was armed, signed. */
export type DryRunPosition = { readonly account: string; readonly contract: string; readonly net: number }

/** An order's stage. `unknown`: the answer was lost; all but the first four are final. */
export type OrderStage = OrderRow['stage']

/** An order's last saved state. */
export type SavedOrder = Intent & Pick<OrderRow, 'stage' | 'orderId' | 'filled' | 'why' | 'counts'>

/** A filled order whose trade is not marked as copied yet. */
export type UnmarkedOrder = Pick<Intent, 'clOrdId' | 'account'> & { readonly userId: string; readonly orderId: number }

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
  /** Whether its trade still has to be marked as copied. */
  readonly unmarked?: boolean
  /** Whether it counts for the leader's order that it mirrors, which may still work. */
  readonly counts?: boolean
}

/** A ledger event, before its orders. */
export type Cause = Readonly<Omit<typeof events.$inferSelect, 'id'>>

/** Why nothing was sent to a follower for an event. */
export type NotSent = Readonly<typeof notSent.$inferSelect>

/** Ledger reads on a read-only connection. */
export type LedgerReads = {
  readonly ledger: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly before?: number | undefined; readonly limit: number }) => { readonly rows: readonly LedgerRow[]; readonly more: boolean }
  readonly figures: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly sinceMs: number }) => readonly FollowerFigures[]
  /** What dry runs would have traded since a time. `fees`: the user's own rates. */
  readonly dryRun: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly sinceMs: number; readonly fees: KnownFees }) => DryRunAnswer
  /** The next CSV chunk after event `after`: its text and the next cursor, null at the end. */
  readonly csv: (input: { readonly userId: string; readonly groupId?: string | undefined; readonly after: number | null }) => { readonly text: string; readonly next: number | null }
}
