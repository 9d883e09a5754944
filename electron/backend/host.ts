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

/** What a front door supplies to the program. */
export type Host = {
  readonly settings: Settings
  readonly paths: {
    /** The built page's folder. */
    readonly pages: string
    /** The journal's migrations; the copier's are in `copier` beside them. */
    readonly migrations: string
    /** The program of a cloud, for the demo. */
    readonly cloud: string
  }
  readonly version: string
  /** UTC ms. */
  readonly now: () => number
  /** Called when a thread of the running program died: its work cannot continue, and the program should end. */
  readonly broken: (part: 'journal' | 'sync' | 'mirror' | 'copier') => void
  /** Starts a Node program beside this one, if the host is not plain Node. */
  readonly startChild?: StartChild | undefined
  /**
   * Called when a user returns from an external page that this program had opened: the app's window should come
   * forward, and go to `route` if given, an address below the app's `/#` that was made or checked here.
   */
  readonly comeForward?: ((route: string | null) => void) | undefined
  /** Called when the computer must stay awake, because a copier group is armed, and when it may sleep again. */
  readonly keepAwake?: ((on: boolean) => void) | undefined
  /** Whether each start uses another port, so that no browser can return to it: sessions end with the program then. */
  readonly freshPort?: boolean | undefined
  /** Roles that override the cloud's, null for the cloud's. Tests set them; no front door does, and no setting reaches them. */
  readonly roleOf?: ((userId: string) => Role | null) | undefined
  /** The hash cost of passwords instead of the default. Only tests set it. */
  readonly passwordCost?: HashCost | undefined
}

/** What the desktop's tray shows of a profile. */
export type Glance = {
  /** The end of the newest run, UTC ms; null before the first. */
  readonly lastSync: { readonly at: number; readonly outcome: SyncReceipt['outcome'] } | null
  /** The progress of a running sync, from 0 to 1; null if none runs. */
  readonly running: number | null
  /** Net P&L of today's trades by currency, like Overview's 'today'; empty without trades. */
  readonly today: readonly { readonly amount: Amount; readonly currency: Currency }[]
  /** The time zone of the profile's local dates. */
  readonly timeZone: string
  /** `armed` if a copier group takes entries, `paused` if all armed groups are paused; null if none is armed. */
  readonly copier: 'armed' | 'paused' | null
}

/** What the desktop's own controls, mainly its tray, call. */
export type DesktopCalls = {
  /** The user signed in in the browser that sends this `Cookie` header; null for none. */
  readonly whoIs: (cookieHeader: string) => Promise<{ readonly userId: string; readonly demo: boolean } | null>
  /** Sync Trades: starts a run if the user's plan includes it, or joins the running one. */
  readonly sync: (userId: string) => Promise<Result<{ readonly ended: Promise<SyncReceipt> }, ProblemCode>>
  readonly glance: (userId: string) => Promise<Glance>
  /** Pauses new entries of all copier groups, or resumes the paused ones; resuming needs a plan. */
  readonly pauseCopier: (userId: string) => Promise<void>
  readonly resumeCopier: (userId: string) => Promise<Result<null, ProblemCode>>
  /** Whether the user wants system notices for rule alerts. */
  readonly wantsNotices: (userId: string) => Promise<boolean>
  /** Receives the events of the user's pages; returns a function that unsubscribes. */
  readonly listen: (userId: string, listener: (happened: Pushed) => void) => () => void
}

/** The running program. */
export type Backend = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** A URL that opens the program in one browser, once; for `demo` it signs the browser in to the demo profile. */
  readonly launchUrl: (who: 'anybody' | 'demo') => Promise<string>
  readonly desktop: DesktopCalls
  /** The computer slept: reopens the connections to the brokerage. */
  readonly woke: () => void
  readonly consent: {
    /** The only external pages that may open in the app's own window: origins of the brokerages' consent pages and of the pages they redirect to. */
    readonly origins: readonly string[]
    readonly returns: readonly string[]
    /** Whether a consent with this state is pending: no other return may move the window. */
    readonly awaits: (state: string) => Promise<boolean>
  }
  /** Syncs a profile, after the current run, and returns the receipt. */
  readonly syncNow: (userId: string) => Promise<SyncReceipt>
  readonly totals: (userId: string) => Promise<JournalTotals>
  /** For the desktop's support bundle. */
  readonly supportFacts: () => Promise<SupportFacts>
  /** Waits until everything is mirrored, and returns the number of the user's records in the cloud; null without a cloud, or if it is unreachable. */
  readonly mirrored: (userId: string) => Promise<number | null>
  /** The demo's walk; null if the demo is not offered. */
  readonly demo: Pick<DemoMode, 'stopsLeft'> | null
  /** Ends every stream and thread; pending writes finish. */
  readonly stop: () => Promise<void>
}
