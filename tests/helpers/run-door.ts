import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

import { cleanEnv } from './clean-env.ts'
import { programFile } from './program.ts'

const root = new URL('../..', import.meta.url).pathname

/** A front door in a process of its own. */
export type Door = {
  readonly pid: number | undefined
  /** The next line on stdout; null where it ended without one. */
  readonly line: () => Promise<string | null>
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  readonly kill: (signal: NodeJS.Signals) => void
  /** Closes what it prints to, as `| head -1` does. */
  readonly hearNoMore: () => void
  /** The exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

type Program = 'serve' | 'start' | 'demo' | 'fillbook'

/** Runs `electron/cli/<name>.ts` with these arguments, with no settings but those given, and ends it with the test. */
export const runDoor = (name: Program, args: readonly string[], env: Record<string, string> = {}): Door => run(programFile(`electron/cli/${name}.ts`), args, env)

/** The same as the script of `package.json` starts it, which builds the bundle first where it has to. */
export const runScript = (name: Program, args: readonly string[], env: Record<string, string> = {}): Door => run('electron/cli/door.ts', [name, ...args], env)

/** The same as npm starts it: below a shell, which alone gets the signals. */
export const runUnderShell = (name: Program, args: readonly string[]): Door => run('-c', ['"$@"; exit $?', 'sh', process.execPath, programFile(`electron/cli/${name}.ts`), ...args], { npm_lifecycle_event: name }, '/bin/sh')

/** Runs the program with all gates open and without its page, as the user of this number where one is given. */
export const runBare = (dataDir: string, { env = {}, uid }: { readonly env?: Record<string, string>; readonly uid?: number } = {}): Door =>
  run(programFile('tests/scenarios/start-child.ts'), ['--data-dir', dataDir], env, process.execPath, uid === undefined ? {} : { uid, gid: uid })

const run = (file: string, args: readonly string[], env: Record<string, string>, program = process.execPath, as: { readonly uid?: number; readonly gid?: number } = {}): Door => {
  const child = spawn(program, [file, ...args], { ...as, cwd: root, env: { ...cleanEnv(), DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid: child.pid,
    hearNoMore: () => {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    line: async () => {
      const next = await lines.next()
      return next.done === true ? null : next.value
    },
    output: () => ({ stdout, stderr }),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
