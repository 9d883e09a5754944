import type { ExactRatio } from '#shared/api/copier.ts'

/** One of the leader's contracts that leads to a follower's: what the leader holds, what of it is not copied, and the mapping's factor. Signed contracts. */
export type TargetLeg = { readonly leader: number; readonly base: number; readonly factor: ExactRatio }

/** All that a target is made of. Contracts are signed, short below zero. */
export type TargetParts = {
  /** Nearly always one; two where the leader trades both NQ and MNQ and the follower MNQ for either. */
  readonly legs: readonly TargetLeg[]
  /** What the follower holds that is its user's. */
  readonly own: number
  readonly ratio: ExactRatio
  /** The most contracts; null: no cap. */
  readonly contractCap: number | null
}

/** A target, and whether the cap holds it below what the ratio says. */
export type Target = { readonly target: number; readonly capped: boolean }

/** How a follower's contract stands apart from the leader's on purpose, signed contracts; see `KeptStance`. */
export type Stance = { readonly own: number; readonly base: number; readonly apart: number }

/** A follower's answer to positions that were open at the start. */
export type StartAnswer = 'adopt' | 'flatten' | 'leave'

/**
 * Where a follower should stand: `own` plus ratio × factor × what is copied of the leader's position, rounded toward zero once, exact in
 * between. The cap bounds what is copied; it takes nothing away from what is the user's own.
 */
export const targetOf = ({ legs, own, ratio, contractCap }: TargetParts): Target => {
  const wanted = own + copiedOf(legs, ratio)
  if (contractCap === null) return { target: wanted, capped: false }
  const target = Math.max(Math.min(-contractCap, own), Math.min(Math.max(contractCap, own), wanted))
  return { target, capped: target !== wanted }
}

const copiedOf = (legs: readonly TargetLeg[], ratio: ExactRatio): number => {
  const [only] = legs
  if (only === undefined) return 0
  if (legs.length === 1) return divideTowardZero((only.leader - only.base) * ratio.num * only.factor.num, ratio.den * only.factor.den)
  let num = 0n
  let den = 1n
  for (const { leader, base, factor } of legs) {
    num = num * BigInt(factor.den) + BigInt(leader - base) * BigInt(factor.num) * den
    den *= BigInt(factor.den)
  }
  return Number((num * BigInt(ratio.num)) / (den * BigInt(ratio.den)))
}

// A double's own division may round up to the next whole number; a remainder is exact.
const divideTowardZero = (num: number, den: number): number => (num - (num % den)) / den + 0

/** The part of the leader's position that is not copied, once the leader holds `leader`: it only shrinks, toward zero. */
export const shrinkBase = (base: number, leader: number): number => (base > 0 ? Math.min(base, Math.max(leader, 0)) : Math.max(base, Math.min(leader, 0)))

/**
 * The deviation that stands once the target went from `before` to `now`. A target that comes to meet the follower takes it away; a target
 * that grows away from it leaves the follower where it is, for nothing is added while it stands apart; a reduction is followed; a change of
 * side ends it.
 */
export const shrinkApart = ({ apart, before, now }: { readonly apart: number; readonly before: number; readonly now: number }): number => {
  if (apart === 0 || now === before) return apart
  if (Math.sign(before) * Math.sign(now) < 0) return 0
  const wanted = before + apart
  const towards = Math.sign(now - before) === Math.sign(apart)
  if (towards) return Math.abs(now - before) >= Math.abs(apart) ? 0 : wanted - now
  return Math.abs(now) > Math.abs(before) ? wanted - now : apart
}

/** What a trade by somebody's hand, or of the follower's own exit, makes of a stance. `real` is what was held before it; `qty` is signed, above zero for a buy. */
export const tradedApart = ({ own, apart, target, real, qty }: { readonly own: number; readonly apart: number; readonly target: number; readonly real: number; readonly qty: number }): { readonly own: number; readonly apart: number } => {
  // Whoever takes off what is the user's own means that, and nothing of the leader's.
  const taken = own !== 0 && Math.sign(own) !== Math.sign(qty) ? Math.sign(qty) * Math.min(Math.abs(own), Math.abs(qty)) : 0
  const left = qty - taken
  const [goal, held] = [target + taken, real + taken]
  if (left === 0) return { own: own + taken, apart }
  const missing = goal - held
  const helps = missing !== 0 && Math.sign(missing) === Math.sign(left)
  if (!helps) return { own: own + taken, apart: apart + left }
  const after = held + left - goal
  if (Math.sign(after) === Math.sign(left)) return { own: own + taken, apart: after }
  // It brought the follower nearer: what it traded need not be traded any more, and as much of a deviation is gone.
  const stands = Math.sign(apart) === Math.sign(left) ? apart : Math.max(-Math.abs(after), -Math.abs(apart)) * Math.sign(left)
  return { own: own + taken, apart: stands + 0 }
}

/**
 * How a follower's contract begins: `adopt` brings it to the target, `flatten` closes the follower's and copies nothing of what the leader
 * holds, `leave` keeps both as they are.
 */
export const startStance = (answer: StartAnswer, leader: number, follower: number): Stance => {
  if (answer === 'adopt') return { own: 0, base: 0, apart: 0 }
  return { own: answer === 'leave' ? follower : 0, base: leader, apart: 0 }
}

/** What the user's answer makes of a deviation: `bring-back` ends it, `leave` keeps both sides as they are and copies what the leader does from here on. */
export const settledStance = (stance: Stance, answer: 'bring-back' | 'leave', leader: number, follower: number): Stance =>
  answer === 'bring-back' ? { ...stance, apart: 0 } : startStance('leave', leader, follower)
