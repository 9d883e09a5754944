import { z } from 'zod'
import { paceOf } from './long-spec.ts'
import { rounded, type BenchRow } from './row.ts'

const limits = { taskMs: 50, paints: 10 }

const pace = z.object({ changes: z.number(), paints: z.number(), longestMs: z.number(), longestCpuMs: z.number(), over50: z.number(), tasks: z.number() })

/** The live screen of 50 accounts and 200 positions at 2,000 price changes a second: its longest task of the main thread against 50 ms, and its paints against ten a second, as the trace of the long test tells them. */
export const benchScanner = async (): Promise<readonly BenchRow[]> => {
  const { changes, paints, longestMs, longestCpuMs, over50, tasks } = await paceOf('position-scanner-load', pace)
  const details = { 'changes a second': Math.round(changes), tasks, 'over 50 ms': over50, 'longest by the clock': rounded(longestMs), 'longest of the processor': rounded(longestCpuMs) }
  return [
    { name: 'the scanner under load, longest task', ratio: longestMs / limits.taskMs, limit: 1, details },
    { name: 'the scanner under load, paints a second', ratio: paints / limits.paints, limit: 1, details: { paints: rounded(paints) } },
  ]
}
