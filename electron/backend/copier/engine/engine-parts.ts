import type { Log } from '#shared/base/log.ts'
import type { CopierStore } from '../store/rows.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Logins } from '../../sync/logins.ts'
import type { TokenCalls } from '../../sync/thread.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { CopierMainCalls } from './calls.ts'
import type { Line, LineParts } from './line.ts'

/** What the engine works with. */
export type EngineParts = {
  readonly store: CopierStore
  readonly main: Client<Omit<CopierMainCalls, keyof TokenCalls>>
  readonly logins: Pick<Logins, 'open' | 'forget'>
  readonly openLine: (parts: LineParts) => Line
  readonly timing: Timing
  /** The calls that a login may make in a rolling hour. */
  readonly callsPerHour: number
  readonly log: Log
}
