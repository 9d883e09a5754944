import type { Fill } from '#shared/fills/fill.ts'

/**
 * The fills that are open, the oldest first: `fills[head..tail)`, the first of them less `used` contracts. First in,
 * first out never leaves any other but the first partly used. What lies behind `tail` belongs to whoever went on
 * from here: so a copy of the four fields keeps its meaning, and no lot is copied however many stand open.
 */
export type OpenQueue = {
  readonly fills: readonly Fill[]
  readonly head: number
  readonly tail: number
  readonly used: number
}

/** The same queue while matching works on it. */
export type GrowingQueue = { fills: Fill[]; head: number; tail: number; used: number }

/** Puts a fill at the end, less `used` contracts, which may be above zero only where nothing else is open. */
export const pushOpen = (queue: GrowingQueue, fill: Fill, used: number): void => {
  const claimed = queue.fills.length !== queue.tail
  const mostlyPast = queue.head > 1024 && queue.head * 2 > queue.tail
  if (claimed || mostlyPast) {
    queue.fills = queue.fills.slice(queue.head, queue.tail)
    queue.tail -= queue.head
    queue.head = 0
  }
  if (queue.head === queue.tail) queue.used = used
  queue.fills.push(fill)
  queue.tail += 1
}
