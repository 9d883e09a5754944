import type { ProblemCode } from '#shared/api/problems.ts'
import type { Pushed, SyncReceipt } from '#shared/api/sync.ts'
import type { Result } from '#shared/base/result.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Role } from '#shared/plans/checks.ts'
import type { DemoMode } from './demo-mode.ts'
import type { HashCost } from './identity/secret-hash.ts'
import type { StartChild } from './node-child.ts'
import type { Settings } from './settings.ts'
import type { JournalTotals, SupportFacts } from './db/rows.ts'

/** What a front door supplies to the program behind it. */
export type Host = {
  readonly settings: Settings
  readonly paths: {
    /** The built page. */
    readonly pages: string
    /** The journal's; the copier's lie in `copier` beside them. */
    readonly migrations: string
    /** The file that starts a cloud, for the demo to mirror into. */
    readonly cloud: string
  }
  readonly version: string
  /** UTC ms. */
  readonly now: () => number
  /** Told that a thread of the running program died: nothing it did can be done any more, and the program should end. */
  readonly broken: (part: 'journal' | 'sync' | 'mirror' | 'copier') => void
  /** How a Node program is started beside this one, where the host is no plain Node. */
  readonly startChild?: StartChild | undefined
  /** Told when somebody came back from a page of another's to which this program had led: the app's window should come forward, and go to `place` where one is given, an address below the app's `/#` that was made or checked here. */
  readonly comeForward?: ((place: string | null) => void) | undefined
  /** Told where the computer must not fall asleep by itself, since a group of the copier stands armed, and where it may again. */
  readonly keepAwake?: ((on: boolean) => void) | undefined
  /** Whether the port is another one at each start, so that no browser comes back to it: sessions end with the program then. */
  readonly freshPort?: boolean | undefined
  /** Roles that stand over whatever the cloud says, null for its word. Tests give them; no front door does, and no setting reaches them. */
  readonly roleOf?: ((userId: string) => Role | null) | undefined
  /** What guessing a password costs in place of the standard. Tests give it, likewise. */
  readonly passwordCost?: HashCost | undefined
}

/** What the desktop's tray shows of a profile. */
export type Glance = {
  /** The end of the newest run, UTC ms; null before the first. */
  readonly lastSync: { readonly at: number; readonly outcome: SyncReceipt['outcome'] } | null
  /** How far the run under way is, from 0 to 1; null where none is. */
  readonly running: number | null
  /** Net P&L of the trips of the trading day of now, as Overview has it under 'today', each currency by itself; empty without trades. */
  readonly today: readonly { readonly amount: Amount; readonly currency: Currency }[]
  /** The zone of the profile's local dates. */
  readonly timeZone: string
  /** `armed` where a group of the copier takes entries, `paused` where all that stand armed are paused; null where none does. */
  readonly copier: 'armed' | 'paused' | null
}

/** What the desktop's own controls, its tray above all, ask of the program. */
export type Desk = {
  /** Who is signed in in the browser that sends this `Cookie` header; null where nobody is. */
  readonly whoIs: (cookieHeader: string) => Promise<{ readonly userId: string; readonly demo: boolean } | null>
  /** Sync Trades: starts a run where the user's plan includes it, or joins the one that runs. */
  readonly sync: (userId: string) => Promise<Result<{ readonly ended: Promise<SyncReceipt> }, ProblemCode>>
  readonly glance: (userId: string) => Promise<Glance>
  /** All groups of the copier take no new entries, or those that are paused do again; resuming wants a plan. */
  readonly pauseCopier: (userId: string) => Promise<void>
  readonly resumeCopier: (userId: string) => Promise<Result<null, ProblemCode>>
  /** Whether the user wants the system to show alerts of rules. */
  readonly wantsNotices: (userId: string) => Promise<boolean>
  /** Hears the events of the user's pages; returns the function that ends it. */
  readonly listen: (userId: string, hear: (happened: Pushed) => void) => () => void
}

/** The running program. */
export type Backend = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** An address that opens the program in one browser, once; for `demo` the browser is signed in to the demo profile. */
  readonly launchUrl: (who: 'anybody' | 'demo') => Promise<string>
  readonly desk: Desk
  /** The computer slept: connections to the brokerage are opened again. */
  readonly woke: () => void
  readonly consent: {
    /** The only pages of others that belong into the app's own window: origins of the brokerages' consent pages, and where those lead back to. */
    readonly origins: readonly string[]
    readonly returns: readonly string[]
    /** Whether a consent with this state is under way: nobody else's return moves the window. */
    readonly awaits: (state: string) => Promise<boolean>
  }
  /** Syncs a profile, behind whatever run is under way, and gives the receipt. */
  readonly syncNow: (userId: string) => Promise<SyncReceipt>
  readonly totals: (userId: string) => Promise<JournalTotals>
  /** For the desktop's support bundle. */
  readonly supportFacts: () => Promise<SupportFacts>
  /** Waits until the cloud has everything, and returns how many records it holds of the user; null without a cloud, or if it cannot be reached. */
  readonly mirrored: (userId: string) => Promise<number | null>
  /** The demo's walk; null where the demo is not offered. */
  readonly demo: Pick<DemoMode, 'stopsLeft'> | null
  /** Ends every stream and thread; what is being written is finished. */
  readonly stop: () => Promise<void>
}
