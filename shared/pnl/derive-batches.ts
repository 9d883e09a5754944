import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { isoDate, zoneClock } from '#shared/market/zone-clock.ts'
import type { Batch } from './batch.ts'
import { matchBatch } from './match-batch.ts'
import { flat, type Position } from './position.ts'

/** How a stream of fills is cut into batches and matched. */
export type DeriveOptions = {
  /** The IANA zone whose midnight cuts the batches. */
  readonly zone: string
  /** Whether positions carry overnight. */
  readonly carry: boolean
  readonly specOf: (contract: string, account: AccountKey) => ContractSpec
}

type Stream = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  day: number
  fills: Fill[]
  end: Position
}

/**
 * Cuts fills of any accounts and contracts, ordered by time and id, into batches and matches each as soon as the
 * next one of its account and contract begins. Within an account and contract the batches come in order of date.
 */
export function* deriveBatches(fills: Iterable<Fill>, options: DeriveOptions): Generator<Batch, void, undefined> {
  const clock = zoneClock(options.zone)
  const accounts = new Map<AccountKey, Map<string, Stream>>()
  for (const fill of fills) {
    const day = clock.dayOf(fill.time)
    const stream = streamOf(accounts, fill, options, day)
    if (stream.day !== day) {
      yield closeBatch(stream, options.carry)
      stream.day = day
    }
    stream.fills.push(fill)
  }
  for (const streams of accounts.values()) for (const stream of streams.values()) yield closeBatch(stream, options.carry)
}

const streamOf = (
  accounts: Map<AccountKey, Map<string, Stream>>,
  { account, contract }: Fill,
  options: DeriveOptions,
  day: number,
): Stream => {
  let streams = accounts.get(account)
  if (streams === undefined) accounts.set(account, (streams = new Map()))
  let stream = streams.get(contract)
  if (stream === undefined) {
    stream = { account, contract, spec: options.specOf(contract, account), day, fills: [], end: flat }
    streams.set(contract, stream)
  }
  return stream
}

const closeBatch = (stream: Stream, carry: boolean): Batch => {
  const { account, contract, spec, day, fills, end } = stream
  const batch = matchBatch({ account, contract, spec, date: isoDate(day), carry }, end, fills)
  stream.end = batch.end
  stream.fills = []
  return batch
}
