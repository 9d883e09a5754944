import type { Log } from '#shared/base/log.ts'
import type { CopierStore } from '../store/rows.ts'
import type { Client } from '../../threads/rpc.ts'
import type { Logins } from '../../sync/logins.ts'
import type { TokenCalls } from '../../sync/thread.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import type { CopierMainCalls } from './calls.ts'
import type { Line, LineDeps } from './line.ts'

/** Dependencies of the engine. */
export type EngineDeps = {
  readonly store: CopierStore
  readonly main: Client<Omit<CopierMainCalls, keyof TokenCalls>>
  readonly logins: Pick<Logins, 'open' | 'forget'>
  readonly openLine: (parts: LineDeps) => Line
  readonly timing: Timing
  /** Broker calls per login in a rolling hour. */
  readonly callsPerHour: number
  readonly log: Log
}
