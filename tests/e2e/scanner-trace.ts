import { chromium, type Page } from '@playwright/test'

type TraceEvent = { readonly name: string; readonly ph: string; readonly pid: number; readonly tid: number; readonly ts: number; readonly dur?: number; readonly tdur?: number; readonly args?: { readonly name?: string; readonly data?: { readonly frames?: readonly { readonly processId?: number }[] } } }

/** What the trace of a page says of its main thread: the time from its first task to its last one, the length of each task by the clock and by its own use of the processor, longest first, in ms, and how often it painted. */
export type MainThread = { readonly seconds: number; readonly tasks: readonly { readonly wallMs: number; readonly cpuMs: number }[]; readonly paints: number }

/** Reads what Chromium traced, of the main thread that worked most. */
const readTrace = (trace: Buffer): MainThread => {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] }
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${String(pid)} ${String(tid)}`))
  const ofMain = Map.groupBy(traceEvents.filter(({ pid, tid }) => mains.has(`${String(pid)} ${String(tid)}`)), ({ pid }) => pid)
  const [events = []] = [...ofMain.values()].toSorted((one, other) => other.length - one.length)
  const tasks = events.filter(({ name, ph }) => name === 'RunTask' && ph === 'X').map(({ ts, dur = 0, tdur }) => ({ ts, wallMs: dur / 1_000, cpuMs: (tdur ?? dur) / 1_000 }))
  const [from, to] = [Math.min(...tasks.map(({ ts }) => ts)), Math.max(...tasks.map(({ ts }) => ts))]
  return {
    seconds: (to - from) / 1_000_000,
    tasks: tasks.map(({ wallMs, cpuMs }) => ({ wallMs, cpuMs })).toSorted((one, other) => other.cpuMs - one.cpuMs),
    paints: events.filter(({ name }) => name === 'Commit').length,
  }
}

/** Traces the main thread of a page while `during` runs. */
export const traceMainThread = async (page: Page, during: () => Promise<void>): Promise<MainThread> => {
  const browser = page.context().browser()
  if (browser === null || browser.browserType() !== chromium) throw new Error('Only Chromium traces')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'] })
  await during()
  return readTrace(await browser.stopTracing())
}
