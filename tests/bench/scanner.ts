import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { rounded, type BenchRow } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const play = fileURLToPath(new URL('../../node_modules/.bin/playwright', import.meta.url))
const words = ['test', '--config', 'build/playwright-long.config.ts', '--project=long', '--reporter=json', 'position-scanner-load']
const limits = { taskMs: 50, paints: 10 }

const annotation = z.object({ type: z.string(), description: z.string() })
const report = z.object({ suites: z.array(z.object({ specs: z.array(z.object({ ok: z.boolean(), tests: z.array(z.object({ annotations: z.array(annotation) })) })) })) })
const pace = z.object({ changes: z.number(), paints: z.number(), longestMs: z.number(), longestCpuMs: z.number(), over50: z.number(), tasks: z.number() })

/** The live screen of 50 accounts and 200 positions at 2,000 price changes a second: its longest task of the main thread against 50 ms, and its paints against ten a second, as the trace of the long test tells them. */
export const benchScanner = async (): Promise<readonly BenchRow[]> => {
  const { stdout } = await promisify(execFile)(play, words, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const [told] = report.parse(JSON.parse(stdout)).suites.flatMap(({ specs }) => specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations.filter(({ type }) => type === 'pace'))))
  const { changes, paints, longestMs, longestCpuMs, over50, tasks } = pace.parse(JSON.parse(told?.description ?? 'null'))
  const details = { 'changes a second': Math.round(changes), tasks, 'over 50 ms': over50, 'longest by the clock': rounded(longestMs), 'longest of the processor': rounded(longestCpuMs) }
  return [
    { name: 'the scanner under load, longest task', ratio: longestMs / limits.taskMs, limit: 1, details },
    { name: 'the scanner under load, paints a second', ratio: paints / limits.paints, limit: 1, details: { paints: rounded(paints) } },
  ]
}
