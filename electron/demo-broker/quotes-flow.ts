import type { Contract } from './contract-library.ts'
import type { Floor } from './floor.ts'
import { randomFor } from './random.ts'

/** Prices that move by themselves. */
export type Flow = {
  readonly set: (perSecond: number, contracts: () => readonly Contract[]) => void
  readonly moved: () => number
  readonly stop: () => void
}

type Parts = {
  readonly floor: Pick<Floor, 'mark' | 'nudge'>
  readonly now: () => number
}

/** Many moves are made several at once; few are not looked for more often than they are due. */
const turnMs = (perSecond: number): number => Math.max(10, 500 / perSecond)
/** Which contracts move is asked so seldom. */
const LOOK_MS = 250
/** As far as a price goes from where it began, in ticks. */
const FARTHEST = 40

/** A flow that stands still; its steps are the same in each stand-in. */
export const openFlow = ({ floor, now }: Parts): Flow => {
  const random = randomFor('quotes/flow')
  const bases = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let moved = 0
  let place = 0
  let basesAt = NaN

  const step = (contract: Contract): void => {
    // The market's clock went on, and with it where prices are.
    if (basesAt !== now()) bases.clear()
    basesAt = now()
    const mark = floor.mark(contract)
    const base = bases.get(contract.id) ?? mark
    bases.set(contract.id, base)
    const away = random.whole(0, 1) === 0 ? -1 : 1
    const next = Math.abs(mark + away - base) > FARTHEST ? mark - away : mark + away
    if (next <= 0) return
    floor.nudge(contract, next)
    moved += 1
  }

  const set: Flow['set'] = (perSecond, contracts) => {
    clearInterval(timer)
    if (perSecond <= 0) return
    const begun = performance.now()
    let made = 0
    let lookedAt = -Infinity
    let moving: readonly Contract[] = []
    timer = setInterval(() => {
      const at = performance.now()
      if (at - lookedAt >= LOOK_MS) {
        moving = contracts()
        lookedAt = at
      }
      // No more at once than a second brings, after the computer slept.
      const due = Math.min(Math.floor(((at - begun) / 1000) * perSecond) - made, Math.ceil(perSecond))
      made = Math.floor(((at - begun) / 1000) * perSecond)
      for (let count = 0; count < due && moving.length > 0; count += 1) {
        const contract = moving[place % moving.length]
        place += 1
        if (contract !== undefined) step(contract)
      }
    }, turnMs(perSecond)).unref()
  }

  return { set, moved: () => moved, stop: () => clearInterval(timer) }
}
