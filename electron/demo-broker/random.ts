import { hash } from 'node:crypto'

/** A seeded random number generator. */
export type Random = {
  /** A number in [0, 1). */
  readonly next: () => number
  /** An integer from `low` to `high`, inclusive. */
  readonly whole: (low: number, high: number) => number
  /** A weighted choice. */
  readonly pick: <T>(choices: readonly (readonly [choice: T, weight: number])[]) => T
  /** A normal deviate: mean 0, deviation 1. */
  readonly normal: () => number
}

/** The generator of a key: the same key gives the same numbers on every machine. */
export const randomFor = (key: string): Random => {
  let block = Buffer.alloc(0)
  let blocks = 0
  let read = 0

  const next = (): number => {
    if (read === block.length) {
      block = hash('sha256', `${key}#${blocks}`, 'buffer')
      blocks += 1
      read = 0
    }
    const drawn = block.readUInt32LE(read)
    read += 4
    return drawn / 2 ** 32
  }

  return {
    next,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      const last = choices.at(-1)
      if (last === undefined) throw new RangeError('Nothing to pick from')
      return last[0]
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
