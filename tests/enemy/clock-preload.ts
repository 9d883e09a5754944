import { createRequire, syncBuiltinESMExports } from 'node:module'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

// Loaded into the program under test before all else, in each of its threads: its clock is the walk's, and what waits
// before it asks the broker again waits a hundredth of the time. What waits for longer is the schedule, which must not
// run beside a walk: it sleeps until the program ends.
const place = 'enemy-clock'
if (isMainThread) setEnvironmentData(place, new SharedArrayBuffer(8) as never)
/** How far the clock is from the machine's, ms: moved by the main thread for all. */
export const offset = new BigInt64Array(getEnvironmentData(place) as unknown as SharedArrayBuffer)

const realNow = Date.now
const RealDate = Date
const now = (): number => realNow() + Number(Atomics.load(offset, 0))
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as object,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})

const promises = createRequire(import.meta.url)('node:timers/promises') as { setTimeout: (ms?: number, value?: unknown, options?: { signal?: AbortSignal }) => Promise<unknown> }
const sleep = promises.setTimeout
const longest = 20_000
promises.setTimeout = (ms = 0, value, options) => sleep(ms < longest ? ms / 100 : 2 ** 30, value, options)
syncBuiltinESMExports()

// Moved by who started the program.
if (isMainThread) process.on('message', (message: { clock?: number }) => { if (message.clock !== undefined) Atomics.store(offset, 0, BigInt(Math.round(message.clock - realNow()))) })
