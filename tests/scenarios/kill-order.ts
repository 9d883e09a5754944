import type { Brokerage } from '#backend/sync/token-keeper.ts'
import type { BarrierName } from '#backend/db/barrier.ts'
import type { SyncMoment } from '#backend/sync/part.ts'

/** The order to the process that is to be killed. */
export type KillOrder = {
  readonly folder: string
  readonly brokerage: Brokerage
  readonly broker: { readonly url: string; readonly controlToken: string; readonly logins: readonly string[]; readonly walk: readonly number[] }
  /** `fills-written:2` */
  readonly killAt?: string
  /** A module whose `barrier` replaces the journal's own. */
  readonly hook?: string
}

/** Every barrier of a run, in the order in which it passes them. */
export const barriers = [
  'tokens-ready', 'accounts-saved', 'balances-saved', 'fills-fetched', 'orders-saved', 'contracts-saved',
  'group-begun', 'fills-written', 'trades-written', 'outbox-written', 'group-committed', 'fills-taken', 'receipt-saved',
] as const satisfies (SyncMoment | BarrierName)[]
