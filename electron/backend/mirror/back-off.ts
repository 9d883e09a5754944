import type { CloudFailure } from '../cloud/failure.ts'

const second = 1_000
const minute = 60 * second
const steps = { passing: { first: second, longest: 5 * minute }, refused: { first: minute, longest: 60 * minute } } as const

/**
 * The pause after this many failures in a row, in ms: doubled each time, longer if the cloud refuses, and randomized so
 * that computers do not all return at once. `random` is from 0 to below 1.
 */
export const backOffMs = (kind: CloudFailure['kind'], failures: number, random: number): number => {
  const { first, longest } = kind === 'refused' ? steps.refused : steps.passing
  return Math.round(Math.min(longest, first * 2 ** Math.min(failures - 1, 30)) * (0.75 + random / 4))
}
