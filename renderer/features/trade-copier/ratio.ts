import type { ExactRatio } from '#shared/api/copier.ts'

/** Suggested ratios, the follower's contracts first. */
export const ratioPresets = ['1:1', '1:2', '1:3', '2:1', '3:1'] as const

/** The follower's contracts for this many of the leader's, rounded down. */
export const followed = (leader: number, { num, den }: ExactRatio): number => Math.trunc((leader * num) / den)

/** An example of the leader's contracts that shows a ratio's effect, with its rounding if it rounds, and the follower's contracts. */
export const ratioExample = (ratio: ExactRatio): { readonly leader: number; readonly follower: number } => {
  const rounds = ratio.num % ratio.den !== 0
  const leader = rounds ? ratio.den + 1 : 1
  return { leader, follower: followed(leader, ratio) }
}

/** The most contracts of the leader for which a follower gets none; 0 if it always gets some. */
export const ignoredUpTo = ({ num, den }: ExactRatio): number => Math.ceil(den / num) - 1
