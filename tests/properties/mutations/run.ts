import { exceptionOf } from './exceptions.ts'
import { judge, type Silent } from './judge.ts'
import { play, type Case, type Played } from './cases.ts'
import type { Outcome } from './outcome.ts'
import type { PlatformKind } from './platform-writers.ts'

/** One way in which a user hands files to the product. */
export type Front = (played: Played) => Promise<Outcome>

/** What a front makes of a case, judged; a front that breaks is worse than one that is silent. */
export const runCase = async (front: Front, one: Case): Promise<{ readonly played: Played; readonly silent: readonly Silent[]; readonly outcome: Outcome | null }> => {
  const played = play(one)
  try {
    const outcome = await front(played)
    return { played, outcome, silent: judge(outcome, played.truths) }
  } catch (error) {
    return { played, outcome: null, silent: [{ what: 'the product broke', where: '', out: String(error), right: 'an answer' }] }
  }
}

/** The whole case of a seed. */
export const caseOf = (seed: number, broken = true, platform?: PlatformKind): Case => ({ seed, broken, ...(platform === undefined ? {} : { platform }), dropRules: [], dropFiles: [], dropEpisodes: [] })

/** Shrinks a failing case: leaves out rules, then files, then trades. */
const shrink = async (front: Front, failing: Case, what: Silent['what']): Promise<Case> => {
  let smallest = failing
  const tryWithout = async (without: Case): Promise<void> => {
    const { silent, played } = await runCase(front, without)
    if (silent.some((each) => each.what === what) && exceptionOf(played, silent) === null) smallest = without
  }
  const { rules, handed, market } = play(failing)
  for (const { index } of rules) await tryWithout({ ...smallest, dropRules: [...smallest.dropRules, index] })
  for (const { name } of handed.files) await tryWithout({ ...smallest, dropFiles: [...smallest.dropFiles, name] })
  for (let episode = 0; episode < market.episodes; episode += 1) await tryWithout({ ...smallest, dropEpisodes: [...smallest.dropEpisodes, episode] })
  return smallest
}

/** The report of a failure: the case to replay, how it was broken, which files, and what came out silently wrong. */
const storyOf = async (front: Front, failing: Case, what: Silent['what']): Promise<string> => {
  const smallest = await shrink(front, failing, what)
  const { played, silent, outcome } = await runCase(front, smallest)
  const files = played.handed.files.map(({ name, table: { rows } }) => `${name} (${String(rows.length)} rows)`)
  return [
    `MUTATION_CASE='${JSON.stringify(smallest)}'`,
    `  broken by: ${played.rules.map(({ name }) => name).join(', then ') || 'nothing'}; files: ${files.join(', ')}; zone ${played.handed.zone}${played.oneByOne ? '; one by one' : ''}`,
    ...silent.slice(0, 3).map((one) => `  ${one.what}, ${one.where}: ${one.out}; right is ${one.right.slice(0, 300)}`),
    `  warnings: ${outcome?.warnings.map(({ code }) => code).join(', ') ?? ''}`,
  ].join('\n')
}

const mostStories = 5

/** What came of many cases. */
export type Tally = { readonly line: string; readonly silent: number; readonly stories: readonly string[] }

/** Runs the cases of these seeds; returns the first failures, shrunk. */
export const runAll = async (name: string, front: Front, seeds: readonly number[], broken: boolean, platform?: PlatformKind): Promise<Tally> => {
  const stories: string[] = []
  const excepted = new Map<string, number>()
  let [silentCases, refused] = [0, 0]
  for (const seed of seeds) {
    const one = caseOf(seed, broken, platform)
    const { played, silent, outcome } = await runCase(front, one)
    if (outcome !== null && outcome.refused.length > 0) refused += 1
    const [first] = silent
    if (first === undefined) continue
    const exception = exceptionOf(played, silent)
    if (exception !== null) {
      excepted.set(exception, (excepted.get(exception) ?? 0) + 1)
      continue
    }
    silentCases += 1
    if (stories.length < mostStories) stories.push(await storyOf(front, one, first.what))
  }
  const known = [...excepted].map(([exception, count]) => `; known exception "${exception}": ${String(count)}`).join('')
  return { silent: silentCases, stories, line: `${name}: ${String(seeds.length)} cases, ${String(refused)} refused or asked, silent wrongs: ${String(silentCases)}${known}` }
}
