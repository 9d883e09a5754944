import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { randomFor, type Random } from '#demo-broker/random.ts'

/** Who set a timer or waits for a message: one run of the program, or the brokerage. What is dead does nothing more. */
export type Owner = { readonly name: string; dead: boolean }

type Event = { at: number; readonly seq: number; readonly owner: Owner; readonly work: () => void; readonly every: number | null; isOver: boolean }

/**
 * One clock and one scheduler for everything in a world. Timers belong to whoever set them, found by the async context: after a kill
 * the timers of that run, and with them everything that waits on its promises, never come. A fake of the timers alone (such as
 * @sinonjs/fake-timers) knows no owners, which is why this is our own.
 */
export type Clock = {
  /** UTC milliseconds. */
  readonly now: () => number
  /** Does something later for an owner; clears it with the answer. */
  readonly later: (owner: Owner, ms: number, work: () => void) => () => void
  /** Runs everything that is due within so many milliseconds; each event sees the promises of the one before settled. */
  readonly run: (ms: number) => Promise<void>
  /** Runs something at once as an owner. */
  readonly as: <T>(owner: Owner, work: () => T) => T
  /** Events that ran since the start. */
  readonly events: () => number
}

const context = new AsyncLocalStorage<Owner>()
const nobody: Owner = { name: 'nobody', dead: false }

let heap: Event[] = []
let now = 0
let origin = 0
let seq = 0
let ran = 0
let broke: (error: unknown) => void = () => undefined

const before = (one: Event, other: Event): boolean => one.at < other.at || (one.at === other.at && one.seq < other.seq)

const push = (event: Event): void => {
  let place = heap.length
  heap.push(event)
  while (place > 0) {
    const parent = (place - 1) >> 1
    const above = heap[parent]
    if (above === undefined || !before(event, above)) break
    heap[place] = above
    place = parent
  }
  heap[place] = event
}

const pop = (): Event | undefined => {
  const top = heap[0]
  const last = heap.pop()
  if (top === undefined || last === undefined || heap.length === 0) return top
  let place = 0
  for (;;) {
    let child = 2 * place + 1
    let least = heap[child]
    const right = heap[child + 1]
    if (least !== undefined && right !== undefined && before(right, least)) {
      child += 1
      least = right
    }
    if (least === undefined || !before(least, last)) break
    heap[place] = least
    place = child
  }
  heap[place] = last
  return top
}

const schedule = (owner: Owner, ms: number, work: () => void, every: number | null = null): Event => {
  seq += 1
  const event: Event = { at: now + Math.max(0, Number.isFinite(ms) ? ms : 0), seq, owner, work, every, isOver: false }
  push(event)
  return event
}

/** What a program takes for a timer. */
class Handle {
  readonly event: Event
  constructor(event: Event) {
    this.event = event
  }
  ref(): this { return this }
  unref(): this { return this }
  hasRef(): boolean { return true }
  [Symbol.dispose](): void { this.event.isOver = true }
}

const clear = (handle: unknown): void => {
  if (handle instanceof Handle) handle.event.isOver = true
}
const ownerNow = (): Owner => context.getStore() ?? nobody

const real = { performanceNow: performance.now.bind(performance), setImmediate, nextTick: process.nextTick.bind(process) }

/** Milliseconds of the computer, for measuring. */
export const computerNow = real.performanceNow
/** Lets the computer's own loop turn: what it collects and writes waits for that. */
export const computerTurn = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve))

const drained = (): Promise<void> => new Promise((resolve) => {
  // Whatever promises settle comes before the next tick.
  real.nextTick(() => { real.nextTick(resolve) })
})

const runFor = async (ms: number): Promise<void> => {
  const until = now + ms
  for (let next = heap[0]; next !== undefined && next.at <= until; next = heap[0]) {
    const event = pop() ?? next
    if (event.isOver || event.owner.dead) continue
    now = Math.max(now, event.at)
    ran += 1
    if (event.every === null) event.isOver = true
    try {
      context.run(event.owner, event.work)
    } catch (error) {
      broke(error)
    }
    if (event.every !== null && !event.isOver) {
      seq += 1
      push(Object.assign(event, { at: now + Math.max(1, event.every), seq }))
    }
    await drained()
  }
  now = Math.max(now, until)
}

const install = (): void => {
  const timer = (every: boolean) => (work: (...input: unknown[]) => void, ms = 0, ...input: unknown[]): Handle => new Handle(schedule(ownerNow(), ms, () => { work(...input) }, every ? ms : null))
  const RealDate = Date
  class VirtualDate extends RealDate {
    constructor(...input: []) {
      if (input.length === 0) super(now)
      else super(...input)
    }
    static override now = (): number => Math.floor(now)
  }
  Object.assign(globalThis, {
    setTimeout: timer(false),
    setInterval: timer(true),
    setImmediate: (work: (...input: unknown[]) => void, ...input: unknown[]) => new Handle(schedule(ownerNow(), 0, () => { work(...input) })),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    Date: VirtualDate,
  })
  performance.now = () => now - origin
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    schedule(ownerNow(), ms, () => { controller.abort(new DOMException('Timed out', 'TimeoutError')) })
    return controller.signal
  }
  // The computer's own keeps a signal with listeners for as long as none of its sources aborts: of a run that died that is for ever.
  AbortSignal.any = (signals) => {
    const controller = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason)
      else signal.addEventListener('abort', () => { controller.abort(signal.reason) }, { once: true })
    }
    return controller.signal
  }
  crypto.randomUUID = () => {
    const part = (length: number): string => Array.from({ length }, () => uuids.whole(0, 15).toString(16)).join('')
    return `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(12)}`
  }
  syncBuiltinESMExports()
  process.on('unhandledRejection', (error) => { broke(error) })
}

let uuids: Random = randomFor('none')
let isInstalled = false

/** Begins a world's time; the timers, dates and ids of this process are virtual from the first call on. `failed` is called with uncaught errors. */
export const openClock = (start: number, seed: string, failed: (error: unknown) => void): Clock => {
  if (!isInstalled) install()
  isInstalled = true
  heap = []
  now = start
  origin = start
  seq = 0
  ran = 0
  broke = failed
  uuids = randomFor(`${seed}/ids`)
  return {
    now: () => now,
    later: (owner, ms, work) => {
      const event = schedule(owner, ms, work)
      return () => { event.isOver = true }
    },
    run: runFor,
    as: (owner, work) => context.run(owner, work),
    events: () => ran,
  }
}

/** Sleeps as `node:timers/promises` does, on the clock of the world. */
export const sleep = <T>(ms?: number, value?: T, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new DOMException('The operation was aborted', 'AbortError'))
      return
    }
    const event = schedule(ownerNow(), ms ?? 0, () => {
      signal?.removeEventListener('abort', abort)
      resolve(value as T)
    })
    const abort = (): void => {
      event.isOver = true
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    signal?.addEventListener('abort', abort, { once: true })
  })

/** Whose turn this is. */
export const whoseTurn = ownerNow
