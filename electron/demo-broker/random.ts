import { hash } from 'node:crypto'

/** A repeatable stream of chance. */
export type Random = {
  /** At least 0 and below 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly whole: (low: number, high: number) => number
  /** One of the choices, each as likely as its weight. */
  readonly pick: <T>(choices: readonly (readonly [choice: T, weight: number])[]) => T
  /** A normal deviate: mean 0, deviation 1. */
  readonly normal: () => number
}

/** The stream that belongs to a key: the same key gives the same numbers on every machine. */
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
