import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A child process of the backend. */
export type Child = {
  /** Its output as lines. */
  readonly lines: AsyncIterable<string>
  /** Settles when it has exited, with its exit code; null if a signal ended it or it never started. */
  readonly gone: Promise<number | null>
  /** Asks it to end. */
  readonly end: () => void
  /** Kills it. */
  readonly kill: () => void
}

/** Starts the Node program in the file `entry`. It ends with its parent, even after a crash. */
export type StartChild = (entry: string, args: readonly string[], env: NodeJS.ProcessEnv) => Child

/** Starts a child under plain Node. The end of its input makes it exit, and its input ends with this program, even after a crash. */
export const startNodeChild: StartChild = (entry, args, env) => {
  const child = spawn(process.execPath, [entry, ...args, '--until-stdin-ends'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(child, 'exit') as Promise<[number | null]>
  child.stdin.on('error', () => undefined)
  return {
    lines: createInterface(child.stdout),
    // `once` rejects on an error: then it never started.
    gone: exited.then(([code]) => code, () => null),
    end: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
  }
}
