import type { ExactRatio } from '#shared/api/copier.ts'

/** Ratios that are offered, the follower's contracts first. */
export const ratioPresets = ['1:1', '1:2', '1:3', '2:1', '3:1'] as const

/** The follower's contracts for so many of the leader's: never more than the ratio says. */
export const followed = (leader: number, { num, den }: ExactRatio): number => Math.trunc((leader * num) / den)

/** A number of the leader's contracts that shows what a ratio does, its rounding where it rounds, and what the follower gets. */
export const ratioExample = (ratio: ExactRatio): { readonly leader: number; readonly follower: number } => {
  const rounds = ratio.num % ratio.den !== 0
  const leader = rounds ? ratio.den + 1 : 1
  return { leader, follower: followed(leader, ratio) }
}

/** The most contracts of the leader of which a follower gets none; 0 where it always gets some. */
export const ignoredUpTo = ({ num, den }: ExactRatio): number => Math.ceil(den / num) - 1
