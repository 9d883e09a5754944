import { setTimeout as pause } from 'node:timers/promises'
import { randomFor } from '#demo-broker/random.ts'
import { outcome, rest } from './model-rest.ts'
import { killed, steps } from './model-steps.ts'
import { watchFloor, type Watch } from './model-watch.ts'
import { openWorld, type ModelWorld } from './model-world.ts'

const STEPS_PRINTED = 40
const ORDERS_PRINTED = 8
const REQUESTS_PRINTED = 60
const STEPS_TO_REST = 250

/** The counts of a run, for the log. */
export type ModelReport = { readonly steps: number; readonly rests: number; readonly orders: number; readonly kills: number; readonly outcome: ReturnType<typeof outcome> }

/**
 * Lets chance trade, disturb and kill for so many steps, with a rest every 250 and at the end, at which every follower has to be at its target
 * or in a stated lock and the brokerage must have seen nothing that the ledger does not explain. The same seed does the same steps, of all there are or of those given.
 */
export const runModel = async (seed: number, count: number, acts = steps): Promise<ModelReport> => {
  const world = await openWorld()
  const watch = watchFloor(world)
  const done: string[] = []
  let rests = 0
  let step = 0
  let kills = 0
  const allWell = (): void => {
    const [first] = watch.faults()
    if (first !== undefined) throw new Error(first)
  }
  const takeRest = async (): Promise<void> => {
    const begun = performance.now()
    world.broker.traffic.clear()
    await rest(world, watch)
    allWell()
    rests += 1
    done.push(`${step}: rest ${rests}, ${Math.round(performance.now() - begun)} ms`)
  }
  try {
    // All followers are up before the first step.
    await takeRest()
    for (step = 1; step <= count; step += 1) {
      const random = randomFor(`copier/${seed}/${step}`)
      const act = random.pick(acts)
      done.push(`${step}: ${await Promise.race([act({ world, watch, random }), world.copier().died])}`)
      await pause(random.pick([[0, 5], [random.whole(1, 12), 4], [random.whole(20, 120), 1]]))
      if (done.at(-1)?.endsWith(killed) === true) kills += 1
      allWell()
      if (step % STEPS_TO_REST === 0 || step === count) await takeRest()
    }
    return { steps: count, rests, kills, outcome: outcome(world, watch), orders: world.seats.reduce((sum, seat) => sum + watch.ordersOf(seat).filter(({ clOrdId }) => clOrdId !== null).length, 0) }
  } catch (error) {
    throw new Error(await story(world, watch, { seed, step, done }, error), { cause: error })
  } finally {
    await world.end()
  }
}

type FailedRun = { readonly seed: number; readonly step: number; readonly done: readonly string[] }

/** What is needed to find the cause and to reproduce it. */
const story = async (world: ModelWorld, watch: Watch, { seed, step, done }: FailedRun, error: unknown): Promise<string> => {
  const live = await Promise.race([world.live().catch(String), pause(5000, 'the copier does not answer')])
  const orders = world.seats.flatMap((seat) =>
    watch.ordersOf(seat).sort((a, b) => a.changed - b.changed).slice(-ORDERS_PRINTED).map(({ id, side, qty, contract, type, price, status, filled, clOrdId, changed }) =>
      `${seat.key} ${id} ${side > 0 ? 'buy' : 'sell'} ${qty} ${contract} ${type} ${price ?? ''} ${status} ${filled} ${clOrdId ?? 'by hand'} (${changed})`))
  return [
    `MODEL_SEED=${seed}, step ${step}: ${error instanceof Error ? error.message : String(error)}`,
    'what happened beside trading since the last rest, and the newest steps:',
    ...done.slice(-STEPS_TO_REST, -STEPS_PRINTED).filter((line) => !/: (leader|flip|close|exit|bracket|move|withdraw|release|one more|\w+ at) /.test(line)),
    ...done.slice(-STEPS_PRINTED),
    'the newest orders at the brokerage:',
    ...orders,
    `what the copier says: ${JSON.stringify(live)}`,
    `open sockets: ${JSON.stringify(world.broker.sockets.open())}`,
    `faults: ${JSON.stringify(world.broker.faults.active())}`,
    `the newest requests: ${world.broker.traffic.seen().slice(-REQUESTS_PRINTED).map(({ method, path, status }) => `${method} ${path} ${status}`).join(', ')}`,
    'what the copier logged:',
    ...world.copier().logged(),
  ].join('\n')
}
