import type { CloudFailure } from '../cloud/failure.ts'

const second = 1_000
const minute = 60 * second
const steps = { passing: { first: second, longest: 5 * minute }, refused: { first: minute, longest: 60 * minute } } as const

/** How long to wait after so many failures in a row, in milliseconds: doubled each time, more patient where the cloud says no, and spread so that many computers do not come back at once. `random` is from 0 to below 1. */
export const backOffMs = (kind: CloudFailure['kind'], failures: number, random: number): number => {
  const { first, longest } = kind === 'refused' ? steps.refused : steps.passing
  return Math.round(Math.min(longest, first * 2 ** Math.min(failures - 1, 30)) * (0.75 + random / 4))
}
