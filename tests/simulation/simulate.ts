import { randomFor } from '#demo-broker/random.ts'
import { computerNow } from './clock.ts'
import { answer, step } from './enemy.ts'
import type { Breach } from './lots.ts'
import { openWorld } from './world.ts'

/** One world: its seed, how many steps of it, and which of those are left out. */
export type Plan = { readonly seed: number; readonly steps?: number; readonly without?: readonly number[]; /** Rules that are passed over. */ readonly pass?: readonly string[] }

/** What came of a world. */
export type Outcome = { readonly plan: Plan; readonly steps: number; readonly breach: Breach | null; readonly at: number; readonly trace: readonly string[]; /** The names of what happened. */ readonly done: ReadonlySet<string>; readonly events: number; readonly virtualMs: number; readonly ms: number }

/** How many steps a seed's world has. */
export const stepsOf = (seed: number): number => randomFor(`${String(seed)}/length`).whole(40, 110)

/** Lives through a world until its end or its first breach. The same plan gives the same world to the letter. */
export const simulate = async (plan: Plan): Promise<Outcome> => {
  const began = computerNow()
  const seed = String(plan.seed)
  const steps = Math.min(plan.steps ?? Infinity, stepsOf(plan.seed))
  const trace: string[] = []
  let now: () => number = () => 0
  let start = 0
  const note = (line: string): void => void trace.push(`${((now() - start) / 1000).toFixed(3)} ${line}`)
  const world = await openWorld(seed, note, new Set(plan.pass))
  const { clock, judge, broker } = world
  now = clock.now
  start = clock.now()
  for (const { draft } of world.settings) note(`group ${JSON.stringify(draft)}`)
  let at = 0
  const found = (): boolean => judge.breaches.length > 0
  try {
    while (at < steps && !found()) {
      at += 1
      if (plan.without?.includes(at) === true) continue
      note(`step ${String(at)}`)
      note(await step(world, randomFor(`${seed}/step/${String(at)}`)))
      judge.look()
      const live = world.live()
      if (live !== null) judge.glance(live)
    }
    // Everything is well again, and left alone.
    if (!found()) {
      note('everything is well again')
      broker.faults.clear()
      broker.floor.step()
      broker.floor.release()
      for (const link of broker.links()) link.cut()
      await world.start()
      // The user answers what the screen asks, until it asks nothing for a while.
      for (let [round, quiet] = [0, 0]; quiet < 3 && round < 16 && !found(); round += 1) {
        await clock.run(12_000)
        judge.look()
        broker.floor.step()
        const words = await answer(world, randomFor(`${seed}/answer/${String(round)}`))
        quiet = words === null ? quiet + 1 : 0
        if (words !== null) note(words)
      }
      await clock.run(20_000)
    }
    if (!found()) {
      note('at rest')
      const live = world.live()
      judge.atRest(live)
      if (found()) note(`screen ${JSON.stringify(live?.groups.flatMap(({ followers }) => followers.map(({ account, state, why, lock, contracts, undecided }) => ({ account, state, why, lock, contracts, undecided }))))}`)
    }
    // The market runs through whatever still works.
    if (!found()) {
      note('the market runs both ways')
      for (const contract of world.traded) {
        const mark = world.mark(contract)
        for (const by of [25, 60, -25, -60, 0]) {
          world.setPrice(contract, mark + by)
          await clock.run(500)
        }
      }
      await clock.run(20_000)
      judge.look()
    }
  } catch (error) {
    judge.crashed(error)
  } finally {
    world.end()
  }
  return { plan, steps: at, breach: judge.breaches[0] ?? null, at, trace, done: world.done, events: clock.events(), virtualMs: clock.now() - start, ms: computerNow() - began }
}

/** The shortest beginning of a failing world that still fails, with what of it can be left out besides. */
export const shrink = async (failed: Outcome): Promise<Outcome> => {
  // Other figures of the same breach: another rule, account or wording would be another fault.
  const kindOf = ({ breach }: Outcome): string => (breach === null ? '' : `${breach.rule} ${breach.account} ${breach.contract} ${breach.says.replaceAll(/-?\d+|\[.*\]/g, '')}`)
  const kind = kindOf(failed)
  let least = failed
  const fails = async (plan: Plan): Promise<boolean> => {
    const outcome = await simulate(plan)
    if (kindOf(outcome) !== kind) return false
    least = outcome
    return true
  }
  for (let steps = failed.steps; steps > 0; steps -= 1) if (!(await fails({ ...failed.plan, steps: steps - 1 }))) break
  for (let size = Math.ceil(least.steps / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 1; from <= least.steps; from += size) {
      const without = new Set(least.plan.without)
      const more = Array.from({ length: size }, (_, index) => from + index).filter((number) => number < least.steps && !without.has(number))
      if (more.length > 0) await fails({ ...least.plan, steps: least.steps, without: [...without, ...more].toSorted((one, other) => one - other) })
    }
  }
  return least
}
