import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { cleanEnv } from './clean-env.ts'
import { programFile } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readyLine = /^Fillbook is ready at (http:\/\/\S+)$/

/** A program that runs in a process of its own, as `npm run serve` starts it. */
export type RunningApp = {
  /** The address that swaps its token for the session cookie, once. */
  readonly launchUrl: string
  /** Where the page lives, without a path. */
  readonly origin: string
  /** Ends the program as the system does, and waits until it is gone; gives its exit code. */
  readonly stop: () => Promise<number | null>
  /** Kills the program at once. */
  readonly kill: () => Promise<void>
}

/** Starts the program on `dataDir` and waits for its ready line; throws with its output if it exits before. Port 0 takes any free one; with `gates` open every real profile may do everything. */
export const startApp = async (given: { dataDir: string; port?: number; demo?: boolean; gates?: 'open'; env?: Record<string, string> }): Promise<RunningApp> => {
  const words = [programFile(given.gates === 'open' ? 'tests/helpers/serve-with-rights.ts' : 'electron/cli/serve.ts'), '--port', String(given.port ?? 0), '--data-dir', given.dataDir, ...(given.demo ? ['--demo'] : [])]
  const app = spawn(process.execPath, words, { cwd: root, env: cleanEnv(given.env), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  app.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(app, 'exit')

  for await (const line of createInterface(app.stdout)) {
    const launchUrl = readyLine.exec(line)?.[1]
    if (!launchUrl) continue
    return {
      launchUrl,
      origin: new URL(launchUrl).origin,
      stop: async () => {
        app.kill('SIGTERM')
        const [code] = (await ended) as [number | null]
        return code
      },
      kill: async () => {
        app.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`The program ended before it was ready:\n${output}`)
}

/** A new empty data folder and the function that removes it. */
export const temporaryFolder = async (): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'fillbook-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
