import type { Result } from '#shared/base/result.ts'
import type { BrokerFailure } from './failure.ts'
import type { Environment, TradovateHosts } from './hosts.ts'
import type { Timing } from './timing.ts'
import type { RenewalOutcome, Tokens } from './tokens.ts'

/** One question to the broker that changes nothing there and may be asked again. */
export type ReadCall = {
  readonly environment: Environment
  /** Below the environment's base, `/fill/list`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Makes it a POST with this JSON body. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** What a login needs to stay logged in. */
export type LoginOptions = {
  readonly tokens: Tokens
  readonly hosts: TradovateHosts
  readonly timing: Timing
  /** Swaps a refresh token for new tokens: here with the client secret, or in the cloud that holds it. */
  readonly refresh: (refreshToken: string) => Promise<RenewalOutcome>
  /** Awaited before new tokens are used: the old refresh token is dead by then. */
  readonly saveTokens: (tokens: Tokens) => Promise<void>
  /** Ends pauses when the program stops. A renewal that is under way is not cut off: its answer would be lost. */
  readonly stop?: AbortSignal
  readonly timeoutMs?: number
}

/** One login of the broker, on both of its sides. Make one per login and keep it: renewals are serialised within it. */
export type Login = {
  /** Asks for a living token if the present one is dead or about to be; `null` where nothing was due. */
  readonly renewIfDue: () => Promise<RenewalOutcome | null>
  /** Opens a new session after `session-pushed-out`. It closes the oldest other session of the user: only on the user's wish or at a scheduled run. */
  readonly reopen: () => Promise<RenewalOutcome>
  /** The parsed JSON of a good answer. */
  readonly read: (call: ReadCall, signal: AbortSignal) => Promise<Result<unknown, BrokerFailure>>
}
