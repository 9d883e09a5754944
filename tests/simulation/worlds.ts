import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'

const report = z.object({
  worlds: z.number(), cpuMsPerWorld: z.number(), worldsPerSecond: z.number(), virtualHours: z.number(),
  failed: z.array(z.object({ seed: z.number(), rule: z.string(), says: z.string(), replay: z.string(), trace: z.array(z.string()) })),
})

/** What came of many worlds; each that failed is shrunk, and says how to live through it again. */
export type WorldsReport = z.infer<typeof report>

const program = fileURLToPath(new URL('./run.ts', import.meta.url))

/** Lives through the worlds of so many seeds in a process of its own, whose clock is not the computer's; with a planted fault until it is found. */
export const runWorlds = async (from: number, count: number, plant: string | null = null): Promise<WorldsReport> => {
  const options = plant === null ? ['--shrink'] : ['--first']
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--from', String(from), '--count', String(count), ...options], {
    env: { ...process.env, PLANT: plant ?? '', NODE_OPTIONS: '' }, maxBuffer: 256 * 1024 * 1024,
  })
  return report.parse(JSON.parse(stdout))
}

/** The same over two processes. */
export const runManyWorlds = async (count: number): Promise<WorldsReport> => {
  const half = Math.ceil(count / 2)
  const [one, other] = await Promise.all([runWorlds(1, half), runWorlds(half + 1, count - half)])
  return { ...one, worlds: one.worlds + other.worlds, worldsPerSecond: one.worldsPerSecond + other.worldsPerSecond, virtualHours: one.virtualHours + other.virtualHours, failed: [...one.failed, ...other.failed] }
}

/** What a report says where worlds failed: how to live through each again, and how it ended. */
export const wordsOf = ({ failed }: WorldsReport): string => failed.map(({ seed, rule, says, replay, trace }) => `world ${String(seed)}: ${rule}: ${says}\n${replay}\n${trace.join('\n')}`).join('\n\n')

/** One world, printed. */
export const printWorld = async (seed: number): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(seed)], { env: { ...process.env, PLANT: '', NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => error as { stdout: string })
  return stdout.split('\n').filter((line) => !/^\d+ ms for /.test(line)).join('\n')
}
