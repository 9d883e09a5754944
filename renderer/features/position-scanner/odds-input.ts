import { ruleRoutes } from '#shared/api/rules.ts'

const { runs, seed } = ruleRoutes.odds.body.shape

/** The runs and the seed that are typed; null in the place of what is none. */
export const readOddsInput = (typed: { readonly runs: string; readonly seed: string }): { readonly runs: number | null; readonly seed: number | null } => {
  const whole = (text: string): number => (/^\d+$/.test(text.replaceAll(/[\s,]/g, '')) ? Number(text.replaceAll(/[\s,]/g, '')) : Number.NaN)
  const [readRuns, readSeed] = [runs.safeParse(whole(typed.runs)), seed.safeParse(whole(typed.seed))]
  return { runs: readRuns.success ? readRuns.data : null, seed: readSeed.success ? readSeed.data : null }
}
