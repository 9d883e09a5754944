import { ruleRoutes } from '#shared/api/rules.ts'

const { runs, seed } = ruleRoutes.odds.body.shape

/** The typed runs and seed; null for an invalid one. */
export const readOddsInput = (typed: { readonly runs: string; readonly seed: string }): { readonly runs: number | null; readonly seed: number | null } => {
  const whole = (text: string): number => (/^\d+$/.test(text.replaceAll(/[\s,]/g, '')) ? Number(text.replaceAll(/[\s,]/g, '')) : Number.NaN)
  const [readRuns, readSeed] = [runs.safeParse(whole(typed.runs)), seed.safeParse(whole(typed.seed))]
  return { runs: readRuns.success ? readRuns.data : null, seed: readSeed.success ? readSeed.data : null }
}
