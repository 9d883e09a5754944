import type { CloseReport } from '#shared/api/positions.ts'
import type { CopierLive, CopyGroup, FlattenReport, GroupDraft } from '#shared/api/copier.ts'
import type { TokenCalls } from '../../accounts/token-keeper.ts'
import type { PositionsNow } from './positions.ts'

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

type OfGroup = { readonly userId: string; readonly id: string }
type OfFollower = OfGroup & { readonly account: string }

/** The copier thread's calls. Another user's group does not exist for the caller: null. */
export type CopierCalls = {
  /** `stops` counts the user's disarms and pauses; pass it to `arm` and `resume`. */
  readonly state: (input: { readonly userId: string }) => { readonly groups: readonly CopyGroup[]; readonly live: CopierLive; readonly stops: number }
  /** Saves a checked group; if armed, followers that are new or were off start with the question about open positions. */
  readonly saveGroup: (input: { readonly userId: string; readonly id: string | null; readonly draft: GroupDraft }) => CopyGroup | null
  /** False if it is armed: disarm first. */
  readonly removeGroup: (input: OfGroup) => boolean
  /** Whether a group of the user is armed, or copier orders may still fill in a connected account. */
  readonly isWorking: (input: { readonly userId: string }) => Promise<boolean>
  /** Whether copier orders may still fill in an account of a login, a removed one included. */
  readonly hasOrdersIn: (input: { readonly userId: string; readonly loginId: string }) => boolean
  /** Disarms and deletes everything of a user, the ledger too, and closes its lines. */
  readonly forgetUser: (input: { readonly userId: string }) => Promise<void>
  /** `taken`: another profile copies with one of its accounts. `stopped`: the user disarmed or paused something since `stops` was read, and that wins. */
  readonly arm: (input: OfGroup & { readonly stops?: number }) => Promise<'armed' | 'taken' | 'stopped' | 'not-found'>
  readonly disarm: (input: OfGroup) => Promise<CopierLive>
  /** `id` null: all groups of the user. */
  readonly pause: (input: { readonly userId: string; readonly id: string | null }) => CopierLive
  readonly resume: (input: OfGroup & { readonly stops?: number }) => CopierLive
  readonly flatten: (input: OfGroup) => Promise<readonly FlattenReport[] | null>
  readonly answerStart: (input: OfFollower & { readonly answer: 'adopt' | 'flatten' | 'leave' }) => CopierLive
  readonly settle: (input: OfFollower & { readonly answer: 'bring-back' | 'leave' }) => CopierLive
  readonly unlock: (input: OfFollower) => CopierLive
  /** Cancels the group's working exits in accounts that no longer follow it. */
  readonly cancelLeft: (input: OfGroup) => CopierLive
  /** While on, keeps the lines of all the user's accounts open and reports changes as `positions`. */
  readonly watch: (input: { readonly userId: string; readonly on: boolean }) => Promise<void>
  /** The positions of all accounts of a user, as far as open lines know them. */
  readonly positionsOf: (input: { readonly userId: string }) => PositionsNow
  /** Cancels the working orders of a contract and closes it at market; an armed copier does not open it again. */
  readonly closePosition: (input: { readonly userId: string; readonly account: string; readonly contract: string }) => Promise<CloseReport>
  /** The same for all positions and working orders of an account. */
  readonly flattenAccount: (input: { readonly userId: string; readonly account: string }) => Promise<CloseReport>
  /** The first of these accounts that another profile of this computer copies with; null if none. */
  readonly takenAccount: (input: { readonly userId: string; readonly accounts: readonly string[] }) => Promise<string | null>
  /** Whether a group may enter, by plan and lease. Otherwise it only reduces and flattens. Another computer copies to the accounts `elsewhere`: they are left alone. */
  readonly allow: (input: OfGroup & { readonly entries: Entries; readonly elsewhere?: readonly string[] }) => void
  /** A user's accounts changed, or a login's tokens were replaced or removed. */
  readonly accountsChanged: (input: { readonly userId: string }) => Promise<void>
  /** The computer slept: reopens and rereads every line. */
  readonly woke: (input: null) => void
  /** Stops sending, writes pending state, ends the thread. */
  readonly stop: (input: null) => Promise<void>
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
