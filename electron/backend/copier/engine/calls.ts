import type { CloseReport } from '#shared/api/positions.ts'
import type { CopierLive, CopyGroup, FlattenReport, GroupDraft } from '#shared/api/copier.ts'
import type { TokenCalls } from '../../sync/thread.ts'
import type { PositionsNow } from './positions.ts'
import type { Entries } from './world.ts'

/** An account as the copier reaches it. */
export type CopierAccount = {
  /** `tradovate:demo:700101` */
  readonly key: string
  readonly loginId: string
  readonly environment: 'live' | 'demo'
  /** The broker's number and name of it. */
  readonly id: number
  readonly name: string
}

type OfGroup = { readonly userId: string; readonly id: string }
type OfFollower = OfGroup & { readonly account: string }

/** What the copier's thread can be asked. A group of another user does not exist for the caller: null. */
export type CopierCalls = {
  /** `stops` is how often the user disarmed or paused anything, to hand to `arm` and `resume`. */
  readonly state: (input: { readonly userId: string }) => { readonly groups: readonly CopyGroup[]; readonly live: CopierLive; readonly stops: number }
  /** Takes a group as it was checked; where it is armed, followers that are new or were off begin with the question of open positions. */
  readonly saveGroup: (input: { readonly userId: string; readonly id: string | null; readonly draft: GroupDraft }) => CopyGroup | null
  /** False where it is armed: disarm first. */
  readonly removeGroup: (input: OfGroup) => boolean
  /** Whether a group of a user stands armed, or orders of the copier may still fill in an account that is connected. */
  readonly isWorking: (input: { readonly userId: string }) => Promise<boolean>
  /** Disarms and deletes all that is a user's, the ledger too, and closes its lines. */
  readonly forgetUser: (input: { readonly userId: string }) => Promise<void>
  /** `taken`: another profile copies with one of its accounts. `stopped`: the user disarmed or paused something since `stops` was read, and means that. */
  readonly arm: (input: OfGroup & { readonly stops?: number }) => Promise<'armed' | 'taken' | 'stopped' | 'not-found'>
  readonly disarm: (input: OfGroup) => Promise<CopierLive>
  /** Null as `id`: all groups of the user. */
  readonly pause: (input: { readonly userId: string; readonly id: string | null }) => CopierLive
  readonly resume: (input: OfGroup & { readonly stops?: number }) => CopierLive
  readonly flatten: (input: OfGroup) => Promise<readonly FlattenReport[] | null>
  readonly answerStart: (input: OfFollower & { readonly answer: 'adopt' | 'flatten' | 'leave' }) => CopierLive
  readonly settle: (input: OfFollower & { readonly answer: 'bring-back' | 'leave' }) => CopierLive
  readonly unlock: (input: OfFollower) => CopierLive
  /** Cancels the group's exits that still work in accounts that do not follow it. */
  readonly cancelLeft: (input: OfGroup) => CopierLive
  /** While on, the lines of all the user's accounts are kept open and changes are told as `positions`. */
  readonly watch: (input: { readonly userId: string; readonly on: boolean }) => Promise<void>
  /** What all accounts of a user hold now; what lines that are not open would tell is missing. */
  readonly positionsOf: (input: { readonly userId: string }) => PositionsNow
  /** Cancels the working orders of a contract and closes it at market; an armed copier does not open it again. */
  readonly closePosition: (input: { readonly userId: string; readonly account: string; readonly contract: string }) => Promise<CloseReport>
  /** The same for all that an account holds or has working. */
  readonly flattenAccount: (input: { readonly userId: string; readonly account: string }) => Promise<CloseReport>
  /** Of these accounts one that another profile of this computer copies with; null where there is none. */
  readonly takenAccount: (input: { readonly userId: string; readonly accounts: readonly string[] }) => Promise<string | null>
  /** Whether a group may enter, by plan and lease. Without it a group reduces and flattens only. To the accounts `elsewhere` another computer copies, where that is told: nothing is done with them. */
  readonly allow: (input: OfGroup & { readonly entries: Entries; readonly elsewhere?: readonly string[] }) => void
  /** The accounts of a user changed, or a login's tokens were replaced or removed. */
  readonly accountsChanged: (input: { readonly userId: string }) => Promise<void>
  /** The computer slept: every line is opened and read anew. */
  readonly woke: (input: null) => void
  /** Sends nothing more, writes what is under way, ends the thread. */
  readonly stop: (input: null) => Promise<void>
}

/** What the thread asks the main one. */
export type CopierMainCalls = TokenCalls & {
  readonly accounts: (input: { readonly userId: string }) => Promise<readonly CopierAccount[]>
  /** At most four times a second a user. */
  readonly live: (input: { readonly userId: string; readonly live: CopierLive }) => void
  /** At most five times a second a user who watches, and only what is new. */
  readonly positions: (input: { readonly userId: string; readonly now: PositionsNow }) => void
  /** The groups that stand armed, dry runs among them: the computer is kept awake while there are any, leases are held for these. */
  readonly armed: (input: { readonly groups: readonly { readonly userId: string; readonly id: string; readonly accounts: readonly string[]; readonly dryRun: boolean }[] }) => void
  /** Orders that the copier placed and that filled: their trades are marked as copied. */
  readonly copied: (input: { readonly userId: string; readonly orders: readonly { readonly account: string; readonly orderId: string }[] }) => void
}
