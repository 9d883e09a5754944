import type { AccountKey, Fill, Side } from '#shared/fills/fill.ts'
import type { FillSource } from '#shared/fills/source.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { flat, openLots, type Position } from '#shared/pnl/position.ts'
import type { Trip } from '#shared/pnl/trip.ts'

type KeptLot = [id: string, time: number, qty: number, price: Ticks, fee: Amount | null, source: FillSource]
type KeptTrip = Omit<Trip, 'account' | 'contract' | 'spec'>
type KeptPosition = { net: number; side: Side | null; used: number; lots: KeptLot[]; trip: KeptTrip | null }

const keptTrip = ({ account: _account, contract: _contract, spec: _spec, ...trip }: Trip): KeptTrip => trip

/**
 * A position as it is kept with its batch, without what the batch says anyway. Lots carry all that matching reads of
 * their fills, so that two equal texts lead to equal trades, also when a fill was corrected.
 */
export const writePosition = (position: Position): string => {
  const lots = openLots(position)
  const kept: KeptPosition = {
    net: position.net,
    side: lots[0]?.fill.side ?? null,
    used: lots[0]?.used ?? 0,
    lots: lots.map(({ fill }) => [fill.id, fill.time, fill.qty, fill.price, fill.fee, fill.source]),
    trip: position.trip && keptTrip(position.trip),
  }
  return JSON.stringify(kept)
}

/** The position before the first fill, as it is kept. */
export const flatText = writePosition(flat)

/** Puts a kept position together again. */
export const readPosition = (text: string, account: AccountKey, spec: ContractSpec): Position => {
  const { net, side, used, lots, trip } = JSON.parse(text) as KeptPosition
  const contract = spec.contract
  const fills = side === null ? [] : lots.map(([id, time, qty, price, fee, source]): Fill => ({ id, account, contract, time, side, qty, price, fee, active: true, source }))
  return { net, queue: { fills, head: 0, tail: fills.length, used }, trip: trip && { ...trip, account, contract, spec } }
}

/** Whether two kept positions lead on to the same: all of them where days are joined, otherwise the net alone. */
export const leadOnEqually = (one: string, other: string, carry: boolean): boolean =>
  one === other || (!carry && (JSON.parse(one) as KeptPosition).net === (JSON.parse(other) as KeptPosition).net)
