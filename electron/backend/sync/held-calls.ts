import type { AccountKey, Fill, Side } from '#shared/fills/fill.ts'
import type { BrokerPosition, HeldFacts, OwnPair } from '#shared/sync/holdings.ts'
import type { OfUser } from '../journal/journal-reads.ts'
import type { PricedFill } from '../fills/fill-rows.ts'

type Holding = Pick<BrokerPosition, 'account' | 'contract' | 'tradeDate'>

/** A fill that the journal has, as far as reading the broker asks for it. */
export type KnownFill = Pick<Fill, 'account' | 'id' | 'source' | 'time' | 'qty' | 'fee'>

/** What a sync asks of the fills that are known, so that it can hold the broker's books against them. */
export type HeldReads = {
  /** Those of the ids that are known, in any of the accounts. */
  readonly knownFills: (input: OfUser & { readonly accounts: readonly AccountKey[]; readonly ids: readonly string[] }) => KnownFill[]
  /** All fills of a session that the broker or its Fills report told, `YYYY-MM-DD`. */
  readonly fillsOfSession: (input: OfUser & { readonly accounts: readonly AccountKey[]; readonly tradeDate: string }) => Pick<Fill, 'account' | 'id'>[]
  /** In the order of the input. */
  readonly heldFacts: (input: OfUser & { readonly holdings: readonly Holding[] }) => HeldFacts[]
  /** Contracts that the journal holds, and those whose position the broker was known by since a moment (UTC ms). */
  readonly openHoldings: (input: OfUser & { readonly accounts: readonly AccountKey[]; readonly since: number }) => Pick<Holding, 'account' | 'contract'>[]
  /** What a session's pairs are by the journal, removed ones too. */
  readonly pairsOfSession: (input: OfUser & Holding) => OwnPair[]
  /** Contracts of a fill that were closed outside of a session. */
  readonly closedBesides: (input: OfUser & Holding & { readonly id: string }) => number
  /** By how many contracts the broker's last known position before `time` (UTC ms) differs from our fills up to then; null where it never stated one. */
  readonly apartBefore: (input: OfUser & Pick<Holding, 'account' | 'contract'> & { readonly time: number }) => number | null
  /** The first of the broker's known positions before `time` (UTC ms) since which ours lacks contracts of this side without a break; null where the last of them agrees. */
  readonly apartSince: (input: OfUser & Pick<Holding, 'account' | 'contract'> & { readonly time: number; readonly side: Side }) => number | null
  /** Sessions whose fees nobody read after their end, with the fills that the broker listed of them, prices in the ticks of each; the latest first, none older than `since` or as late as `before` (trading days). */
  readonly unsettledSessions: (input: OfUser & { readonly accounts: readonly AccountKey[]; readonly since: string; readonly before: string }) => { readonly account: AccountKey; readonly tradingDay: string; readonly fills: PricedFill[] }[]
}
