import { currentVersion, type LiveOrder } from '#demo-broker/orders.ts'
import type { GroupDraft } from '#shared/api/copier.ts'
import { latency } from './broker.ts'

/** The rules, by name; the sentence of each is above the function that checks it. */
export type Rule = 'doubled' | 'opposite' | 'hedge' | 'above-cap' | 'bare' | 'hands-off' | 'left-behind' | 'not-said' | 'false-reason' | 'guard' | 'stuck' | 'crashed'

/** What a rule found, when (UTC ms), and where. */
export type Breach = { readonly rule: Rule; readonly at: number; readonly account: string; readonly contract: string; readonly says: string }

/** A group as its user set it up. */
export type Setting = { id: string; draft: GroupDraft; state: 'off' | 'armed' | 'paused' }

/** The longest that a message takes there and back, milliseconds, with a little for whoever reads it. */
export const roundTripMs = 2 * latency.most + 1

/** One account's contracts of one name. */
export type Lot = {
  readonly account: string
  readonly contract: string
  /** Signed contracts that hands made, and that orders of the program made. */
  hand: number
  made: number
  /** Signed contracts that the leader's fills and the user's answers ask a follower to hold; with its past. */
  granted: number
  /** Target changes of the leader's fills while the group was paused: they apply once it resumes. */
  missed: number
  /** What keeps it from the plain target until the leader is flat: what its user requested, or what a hand or an exit took off, which the screen has to say. */
  apart: 'requested' | 'taken' | null
  /** Whether it started with earlier contracts that the user has not assigned yet. */
  asks: boolean
  /** What changed it last: a hand, or an order of the program that waited for its price or did not. */
  lastBy: 'hand' | 'exit' | 'market'
  /** Whether the last exit that filled was a stop, and when (UTC ms). */
  lastExit: { readonly isStop: boolean; readonly at: number } | null
  /** When the user last said whose it is, or had it closed: by what that changed no order is judged that was on its way. */
  decidedAt: number
  /** `taken`: what of it was not asked for but taken off. */
  grants: { readonly at: number; readonly granted: number; readonly taken: number; readonly known: Known }[]
  nets: { readonly at: number; readonly net: number; readonly known: Known }[]
  /** Of a leader: how far its working entries may bring it, and whether it holds contracts that its stops do not cover. */
  reaches: { readonly low: number; readonly high: number; readonly isBare: boolean; readonly known: Known }[]
  /** Of a leader: since when its stops cover all that it holds; Infinity where they do not. */
  coveredSince: number
  /** What hands, and exits that waited for their price, did to `hand` and `made`. */
  hands: { readonly by: 'hand' | 'exit'; readonly hand: number; readonly made: number; readonly known: Known }[]
}

/** When a run of the program got to know of something: its socket, up and read, said something that was later. For certain since its last frame of that moment came, perhaps from the first on. */
export type Known = { readonly login: string; readonly at: number; from: number; since: number }

/** Who sent an order, or asked for what became of it, how and when (UTC ms). */
export type Sent = { readonly by: 'program' | 'hand'; readonly operation: string; readonly sentAt: number }

/** Contracts of an order, below zero where it sells. */
export const signed = (action: string, qty: number): number => (action === 'Buy' ? qty : 0 - qty)
/** Signed contracts of a lot. */
export const netOf = ({ hand, made }: Lot): number => hand + made
/** Contracts that the program made and that are open: what its user holds on the other side closes them. */
export const exposed = (lot: Lot): number => Math.abs(within(lot.made, netOf(lot)))
/** So many contracts on the side of a sign. */
export const towards = (sign: number, size: number): number => (sign === 0 ? 0 : Math.sign(sign) * size)
/** Whether an order waits for its price. */
export const isExit = (order: LiveOrder): boolean => currentVersion(order).type !== 'Market'
/** Whether it does for a worse one. */
export const isStop = (order: LiveOrder): boolean => ['Stop', 'StopLimit', 'TrailingStop'].includes(currentVersion(order).type)
/** Moves `from` toward zero until it is no larger than `limit`, on the limit's side. */
export const within = (from: number, limit: number): number => (Math.sign(from) === Math.sign(limit) ? towards(from, Math.min(Math.abs(from), Math.abs(limit))) : 0)
/** What an account held by the last word that the program had at a moment. */
export const netKnown = (lot: Lot, at: number): number => lot.nets.findLast(({ known }) => known.since <= at)?.net ?? 0
const isDoubtful = ({ known }: { readonly known: Known }, at: number): boolean => known.from <= at && known.since >= at
/** All that this may be where frames were just coming. */
export const netsKnown = (lot: Lot, at: number): number[] => [lot.nets.findLast(({ known }) => known.since < at)?.net ?? 0, ...lot.nets.filter((each) => isDoubtful(each, at)).map(({ net }) => net)]
/** What was granted by the last word that the program had at a moment, and all that was granted since, with and without what was taken off and it could not know. */
export const grantedSince = (lot: Lot, at: number): number[] => {
  const from = Math.max(0, lot.grants.findLastIndex(({ known }) => known.since < at))
  let taken = lot.grants.slice(0, from).reduce((sum, grant) => (grant.known.since >= at ? sum + grant.taken : sum), 0)
  return lot.grants.slice(from).flatMap((grant) => {
    if (grant.known.since >= at) taken += grant.taken
    return taken === 0 ? [grant.granted] : [grant.granted, grant.granted - taken]
  })
}
type Unknown = { readonly hand: number; readonly made: number }
/**
 * What hands did that the program could not know at a moment; where an order closes at market also what exits did, which a close leaves in
 * place. Where frames were just coming, any rest of them may have come after: all that this may be.
 */
export const unknownsTo = (lot: Lot, order: LiveOrder, at: number): Unknown[] => {
  const sum = (all: Lot['hands']): Unknown => all.reduce((total, { hand, made }) => ({ hand: total.hand + hand, made: total.made + made }), { hand: 0, made: 0 })
  const of = lot.hands.filter(({ by }) => by === 'hand' || !isExit(order))
  const later = of.filter(({ known }) => known.from > at)
  const then = of.filter((each) => isDoubtful(each, at))
  return [...then.keys(), then.length].map((from) => sum([...then.slice(from), ...later]))
}
/** A lot without trades. */
export const newLot = (account: string, contract: string): Lot => {
  const known: Known = { login: '', at: 0, from: 0, since: 0 }
  return { account, contract, hand: 0, made: 0, granted: 0, missed: 0, apart: null, asks: false, lastBy: 'hand', lastExit: null, decidedAt: 0, grants: [{ at: 0, granted: 0, taken: 0, known }], nets: [{ at: 0, net: 0, known }], reaches: [{ low: 0, high: 0, isBare: false, known }], coveredSince: Infinity, hands: [] }
}
