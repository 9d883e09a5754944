import type { SyncReceipt } from '#shared/api/sync.ts'
import type { Role } from '#shared/plans/checks.ts'
import type { DemoMode } from './demo-mode.ts'
import type { Settings } from './settings.ts'
import type { JournalTotals } from './store/rows.ts'

/** What a front door supplies to the program behind it. */
export type Host = {
  readonly settings: Settings
  readonly paths: {
    /** The built page. */
    readonly pages: string
    readonly migrations: string
    /** The file that starts a cloud, for the demo to mirror into. */
    readonly cloud: string
  }
  readonly version: string
  /** UTC ms. */
  readonly now: () => number
  /** Told that a thread of the running program died: nothing it did can be done any more, and the program should end. */
  readonly broken: (part: 'journal' | 'sync' | 'mirror') => void
  /** Roles that stand over whatever the cloud says, null for its word. Tests give them; no front door does, and no setting reaches them. */
  readonly roleOf?: ((userId: string) => Role | null) | undefined
}

/** The running program. */
export type Backend = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** An address that opens the program in one browser, once; for `demo` the browser is signed in to the demo profile. */
  readonly launchUrl: (who: 'anybody' | 'demo') => Promise<string>
  /** Syncs a profile, behind whatever run is under way, and gives the receipt. */
  readonly syncNow: (userId: string) => Promise<SyncReceipt>
  readonly totals: (userId: string) => Promise<JournalTotals>
  /** Waits until the cloud was told everything, and gives how many records it holds of the user; null without a cloud, or where it is not to be reached. */
  readonly mirrored: (userId: string) => Promise<number | null>
  /** The demo's walk; null where the demo is not offered. */
  readonly demo: Pick<DemoMode, 'rewind' | 'stopsLeft'> | null
  /** Ends every stream and thread; what is being written is finished. */
  readonly stop: () => Promise<void>
}

/** Why the program could not start: what is wrong, what it must be, and what to do. */
export type StartProblem = { readonly name: string; readonly wanted: string; readonly remedy: string }

/** The problems as one block for a terminal, without a stack. */
export const sayProblems = (problems: readonly StartProblem[], outcome = 'Fillbook did not start.'): string =>
  [outcome, ...problems.map(({ name, wanted, remedy }) => `\n  ${name}\n    must be ${wanted}\n    ${remedy}`), ''].join('\n')
