import type { Fill } from '#shared/fills/fill.ts'

/**
 * Open fills, oldest first: `fills[head..tail)`, less `used` contracts of the first. FIFO never leaves any other fill partly used. Entries beyond
 * `tail` belong to whichever matching appended them: so copying the four fields is a snapshot, and no lot is copied.
 */
export type OpenQueue = {
  readonly fills: readonly Fill[]
  readonly head: number
  readonly tail: number
  readonly used: number
}

/** The same queue while matching works on it. */
export type GrowingQueue = { fills: Fill[]; head: number; tail: number; used: number }

/** Appends a fill less `used` contracts; `used` may be above zero only if nothing else is open. */
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

/** Puts a fill before all other open ones; does nothing if it is not open, or the first one is partly used. */
export const bringToFront = (queue: GrowingQueue, id: string): void => {
  if (queue.used > 0) return
  const open = queue.fills.slice(queue.head, queue.tail)
  const at = open.findIndex((fill) => fill.id === id)
  if (at <= 0) return
  // In an array of its own: the other one may be shared.
  queue.fills = [...open.splice(at, 1), ...open]
  queue.head = 0
  queue.tail = queue.fills.length
}
