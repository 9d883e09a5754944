import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import { beforeAll, type Doubt } from './known-position.ts'
import { addFill, beginBatch, endBatch, type OpenBatch, type Batch } from './match-batch.ts'
import { flat } from './position.ts'

/** How a stream of fills is cut into batches and matched. */
export type DeriveOptions = {
  /** The IANA zone whose midnight cuts the batches. */
  readonly zone: string
  readonly specOf: (contract: string, account: AccountKey) => ContractSpec
  /** When the position of an account and contract is in doubt; missing means never. */
  readonly doubtsOf?: (contract: string, account: AccountKey) => readonly Doubt[]
}

type Stream = { day: number; batch: OpenBatch }

/**
 * Cuts fills of any accounts and contracts, ordered by time and id, into batches, and gives out each as soon as the
 * next one of its account and contract begins. Within an account and contract the batches come in order of date.
 */
export function* deriveBatches(fills: Iterable<Fill>, options: DeriveOptions): Generator<Batch, void, undefined> {
  const clock = zoneClock(options.zone)
  const accounts = new Map<AccountKey, Map<string, Stream>>()
  for (const fill of fills) {
    const day = clock.dayOf(fill.time)
    const stream = streamOf(accounts, fill, options, day)
    if (stream.day !== day) {
      const ended = endBatch(stream.batch)
      yield ended
      stream.batch = beginBatch({ ...stream.batch.options, date: isoDate(day), after: ended.lastFillAt ?? stream.batch.options.after ?? beforeAll }, ended.end)
      stream.day = day
    }
    addFill(stream.batch, fill)
  }
  for (const streams of accounts.values()) for (const { batch } of streams.values()) yield endBatch(batch)
}

const streamOf = (
  accounts: Map<AccountKey, Map<string, Stream>>,
  { account, contract }: Fill,
  { specOf, doubtsOf }: DeriveOptions,
  day: number,
): Stream => {
  const streams = getOrInsert(accounts, account, () => new Map())
  return getOrInsert(streams, contract, () => {
    const options = { account, contract, spec: specOf(contract, account), date: isoDate(day), doubts: doubtsOf?.(contract, account) ?? [] }
    return { day, batch: beginBatch(options, flat) }
  })
}
