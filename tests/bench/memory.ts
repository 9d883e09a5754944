import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importRoutes } from '#shared/api/imports.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { openBrowser } from '../helpers/browser.ts'
import { cleanEnv } from '../helpers/clean-env.ts'
import { temporaryFolder } from '../helpers/running-app.ts'
import { streamUpload, importRequest } from '../helpers/upload.ts'
import { writeFillsFile } from './fills-file.ts'
import { counted, rounded, scale, type BenchRow } from './row.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const insertRaw = fileURLToPath(new URL('./insert-raw-child.ts', import.meta.url))
const bytesOfFill = 216
const limits = { restMb: 220, reconciliationMs: 1_000 }
const imports = [{ fills: 200_000 * scale, peakMb: 500 }, { fills: 1_000_000 * scale, peakMb: 700 }] as const
/** So long after its last work the program is at rest. */
const restMs = 6_000

/**
 * The memory of the whole process (its peak, as the system counts it) of `npm run serve`: at rest, while it imports a Fills
 * file that was sent to it, and while it makes the first Reconciliation. Ratios are to the limits themselves; of an
 * import the peak of plain inserts of the same rows, in a process of their own, stands beside it.
 */
export const benchMemory = async (): Promise<readonly BenchRow[]> => {
  if (process.platform !== 'linux') throw new Error('The memory of another process is read as Linux tells it')
  const rows: BenchRow[] = []
  for (const one of imports) {
    const { fills, restMb, importMb, afterMb, reconciliationMb, reconciliationMs, rawMb } = await measure(one.fills)
    if (rows.length === 0) rows.push({ name: 'npm run serve at rest, memory', ratio: restMb / limits.restMb, limit: 1, details: { restMb: rounded(restMb) } })
    rows.push(
      { name: `importing a Fills file of ${counted(one.fills)} fills, peak of memory`, ratio: importMb / one.peakMb, limit: 1, details: { importMb: rounded(importMb), rawMb: rounded(rawMb), afterMb: rounded(afterMb), fills } },
      { name: `first Reconciliation of ${counted(one.fills)} fills, peak of memory`, ratio: reconciliationMb / one.peakMb, limit: 1, details: { reconciliationMb: rounded(reconciliationMb) } },
    )
    if (rows.length === 3) rows.push({ name: `first Reconciliation of ${counted(one.fills)} fills`, ratio: reconciliationMs / limits.reconciliationMs, limit: 1, details: { reconciliationMs: rounded(reconciliationMs) } })
  }
  return rows
}

type Measured = { readonly fills: number; readonly restMb: number; readonly importMb: number; readonly afterMb: number; readonly reconciliationMb: number; readonly reconciliationMs: number; readonly rawMb: number }

const measure = async (fills: number): Promise<Measured> => {
  const { path: folder, remove } = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const program = spawn(process.execPath, [join(root, 'electron/cli/door.ts'), 'serve', '--port', '0', '--data-dir', dataDir], { cwd: root, env: cleanEnv(), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  const memory = memoryOf(program.pid ?? 0)
  try {
    const file = join(folder, 'Fills.csv')
    writeFillsFile(file, fills * bytesOfFill)
    const [line] = (await once(createInterface(program.stdout), 'line')) as [string]
    const browser = await openBrowser(line.split(' ').at(-1) ?? '')
    const { userId } = await browser.signUp()
    await after(restMs)
    const restMb = memory.now()
    const upload = await streamUpload(browser, 'Fills.csv', createReadStream(file))
    memory.forgetPeak()
    const { imported } = await browser.call(importRoutes.addImport, { body: importRequest([upload]) })
    const importMb = memory.peak()
    await after(restMs)
    const afterMb = memory.now()
    memory.forgetPeak()
    const from = performance.now()
    await browser.call(reconciliationRoutes.reconciliation, { query: {} })
    const reconciliationMs = performance.now() - from
    const reconciliationMb = memory.peak()
    program.kill('SIGTERM')
    await ended
    const { stdout } = await promisify(execFile)(process.execPath, [insertRaw, join(dataDir, 'journal.db'), userId, folder])
    return { fills: imported?.settled.fills.added ?? 0, restMb, importMb, afterMb, reconciliationMb, reconciliationMs, rawMb: Number(stdout) }
  } finally {
    program.kill('SIGKILL')
    await ended
    await remove()
  }
}

/** The memory of a process in MB, and its peak since that was last forgotten. */
const memoryOf = (pid: number): { readonly now: () => number; readonly peak: () => number; readonly forgetPeak: () => void } => {
  const inMb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1_024
  return { now: () => inMb('VmRSS'), peak: () => inMb('VmHWM'), forgetPeak: () => writeFileSync(`/proc/${String(pid)}/clear_refs`, '5') }
}
