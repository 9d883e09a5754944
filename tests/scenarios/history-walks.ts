import fc from 'fast-check'
import { shrink } from '../helpers/shrink.ts'
import { openGround, type Ground } from './history-ground.ts'
import { walk, type Walk } from './history-steps.ts'
import { goWalk } from './history-walk.ts'

/** What a walk did and how it failed; null where it did not. */
const failureOf = async (ground: Ground, drawn: Walk): Promise<string | null> => {
  const lines = [`${String(drawn.computers)} computers, clocks wrong by ${drawn.clocks.join()} hours`]
  try {
    await goWalk(ground, drawn, (line) => lines.push(line))
    return null
  } catch (error) {
    return [...lines, error instanceof Error ? error.stack : String(error)].join('\n')
  }
}

/** Goes so many walks, the first of this seed, each next of the next. One that fails says its seed and its steps, and is the same again with `HISTORY_SEED`. */
export const walkHistories = async (count: number): Promise<void> => {
  const only = process.env['HISTORY_SEED']
  const { seed: given = 0 } = fc.readConfigureGlobal()
  const first = only === undefined ? (process.env['PROPERTY_SEED'] === 'random' ? Date.now() % 1_000_000_000 : Number(given)) : Number(only)
  const ground = await openGround()
  try {
    for (let seed = first; seed < first + (only === undefined ? count : 1); seed += 1) {
      const [drawn] = fc.sample(fc.noBias(walk), { seed, numRuns: 1 })
      if (drawn === undefined) throw new Error('No walk was drawn')
      const failure = await failureOf(ground, drawn)
      if (failure === null) continue
      const shrunk = process.env['HISTORY_SHRINK'] === undefined ? null : await failureOf(ground, await shrink(drawn, async (shorter) => (await failureOf(ground, shorter)) !== null))
      throw new Error(`HISTORY_SEED=${String(seed)} fails${shrunk === null ? ' (HISTORY_SHRINK=1 looks for the fewest steps)' : ', and so do these steps'}:\n${shrunk ?? failure}`)
    }
  } finally {
    await ground.close()
  }
}
