import type { CopierLive } from '#shared/api/copier.ts'
import type { TokenCalls } from '../../sync/token-keeper.ts'
import type { PositionsNow } from '../../brokers/live.ts'

/** Whether a group may enter trades, or what is missing. */
export type Entries = true | 'no-lease' | 'plan-ended'

/** An account with its login, as the copier reaches it. */
export type CopierAccount = {
  /** `tradovate:demo:700101` */
  readonly key: string
  readonly loginId: string
  readonly environment: 'live' | 'demo'
  /** The broker's account number and name. */
  readonly id: number
  readonly name: string
}

/** What the thread asks the main one. */
export type CopierMainCalls = TokenCalls & {
  readonly accounts: (input: { readonly userId: string }) => Promise<readonly CopierAccount[]>
  /** At most four times a second per user. */
  readonly live: (input: { readonly userId: string; readonly live: CopierLive }) => void
  /** At most five times a second per watching user, changes only. */
  readonly positions: (input: { readonly userId: string; readonly now: PositionsNow }) => void
  /** The armed groups, dry runs included: the computer stays awake while there are any, and leases are held for them. */
  readonly armed: (input: { readonly groups: readonly { readonly userId: string; readonly id: string; readonly accounts: readonly string[]; readonly dryRun: boolean }[] }) => void
  /** Filled copier orders, whose trades are marked as copied. */
  readonly copied: (input: { readonly userId: string; readonly orders: readonly { readonly account: string; readonly orderId: string }[] }) => void
}
