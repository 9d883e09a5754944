import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { StartChild } from './host.ts'

/** Starts a child where this is plain Node. The child is told to end with its input, which ends with this program, however that ends. */
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
