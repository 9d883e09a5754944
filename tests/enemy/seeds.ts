import { startBroker } from './broker.ts'
import type { Silent } from './judge.ts'
import { startProduct } from './product.ts'
import { shrink } from '../helpers/shrink.ts'
import { drawWalk, type Walk } from './steps.ts'
import { makeWalk, type Ground, type Outcome } from './walk.ts'

/** A broker and the program over it, for many walks; `zone` is that of the users. */
export const openGround = async (zone: string): Promise<Ground & { readonly stop: () => Promise<void> }> => {
  const broker = await startBroker()
  const product = await startProduct(broker.url, zone)
  return { broker, product, stop: () => product.stop().finally(broker.stop) }
}

/** Known errors that are counted, each with its reason. */
export const exceptions: readonly { readonly name: string; readonly isIt: (silent: Outcome['silent'][number]) => boolean }[] = []

/** The result of many walks. */
export type WalksResult = { readonly walks: number; readonly syncs: number; readonly fills: number; /** Every silent wrong that is no known exception, shrunk where there are few. */ readonly silent: readonly string[]; /** Known exceptions, by name. */ readonly excepted: Readonly<Record<string, number>> }

/** The seeds that a run is for: one that `ENEMY_SEED` names, or so many from the first. */
export const seedsOf = (count: number, first = 1): number[] => {
  const named = process.env['ENEMY_SEED']
  return named === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(named)]
}

// Shrinking takes as long as dozens of walks.
const shrunkAtMost = 2

const isExcepted = (silent: Outcome['silent'][number]): boolean => exceptions.some(({ isIt }) => isIt(silent))
const wrongOf = ({ silent }: Outcome): Outcome['silent'] => silent.filter((one) => !isExcepted(one))

/** Runs the walks of these seeds one after another, and reports each silent error with the steps that reproduce it. */
export const walkSeeds = async (ground: Ground, seeds: readonly number[], honest = false): Promise<WalksResult> => {
  const excepted: Record<string, number> = {}
  const silent: string[] = []
  let [syncs, fills, shrunk] = [0, 0, 0]
  for (const seed of seeds) {
    const walk = drawWalk(seed, honest)
    const outcome = await makeWalk(ground, walk)
    syncs += outcome.syncs
    fills += outcome.fills
    for (const one of outcome.silent) for (const { name, isIt } of exceptions) if (isIt(one)) excepted[name] = (excepted[name] ?? 0) + 1
    const [first] = wrongOf(outcome)
    if (first === undefined) continue
    shrunk += 1
    const isSame = ({ kind, after }: Silent & { readonly after: string }): boolean => kind === first.kind && after.startsWith('the end') === first.after.startsWith('the end')
    const smallest = shrunk > shrunkAtMost ? walk : await shrink(walk, async (shorter) => wrongOf(await makeWalk(ground, shorter)).some(isSame))
    silent.push(sayFailure(smallest, smallest === walk ? wrongOf(outcome) : wrongOf(await makeWalk(ground, smallest))))
  }
  return { walks: seeds.length, syncs, fills, silent, excepted }
}

const sayFailure = ({ seed, from, accounts, steps }: Walk, found: Outcome['silent']): string =>
  [
    `seed ${String(seed)} (again: ENEMY_SEED=${String(seed)}), from ${from}, accounts ${accounts.join(', ')}`,
    ...steps.map((step, index) => `  ${String(index + 1)} ${JSON.stringify(step)}`),
    ...found.slice(0, 8).map(({ after, kind, what }) => `  after ${after}: ${kind}: ${what}`),
    ...(found.length > 8 ? [`  and ${String(found.length - 8)} more`] : []),
  ].join('\n')

/** One line for a run, with its known exceptions. */
export const sayWalks = ({ walks, syncs, fills, silent, excepted }: WalksResult): string =>
  [`${String(walks)} walks, ${String(syncs)} syncs, ${String(fills)} fills: ${String(silent.length)} walks with a silent wrong`, ...Object.entries(excepted).map(([name, count]) => `known: ${name}, ${String(count)} times`), ...silent].join('\n')
