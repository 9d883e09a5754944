import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that the backend started beside itself. */
export type Child = {
  /** What it says, as lines. */
  readonly lines: AsyncIterable<string>
  /** Settles when it is gone, with its exit code; null where a signal ended it or it never began. */
  readonly gone: Promise<number | null>
  /** Asks it to end. */
  readonly end: () => void
  /** Ends it at once. */
  readonly kill: () => void
}

/** Starts the Node program in the file `entry`. It ends with the program that started it, however that ends. */
export type StartChild = (entry: string, args: readonly string[], env: NodeJS.ProcessEnv) => Child

/** Starts a child where this is plain Node. The child ends with its input, which ends with this program, however that ends. */
export const startNodeChild: StartChild = (entry, args, env) => {
  const child = spawn(process.execPath, [entry, ...args, '--until-stdin-ends'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(child, 'exit') as Promise<[number | null]>
  child.stdin.on('error', () => undefined)
  return {
    lines: createInterface(child.stdout),
    // `once` rejects where there is an error: then it never began.
    gone: exited.then(([code]) => code, () => null),
    end: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
  }
}
