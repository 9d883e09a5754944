import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { utilityProcess } from 'electron'
import type { StartChild } from '#backend/node-child.ts'

/** Starts a Node program as an Electron utility process, because the packed executable cannot run plain files. */
export const startUtility: StartChild = (entry, args, env) => {
  const child = utilityProcess.fork(entry, [...args], { env: withoutGaps(env), stdio: ['ignore', 'pipe', 'ignore'], serviceName: 'Fillbook' })
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
  })
  return {
    lines: linesOf(child),
    gone,
    end: () => void child.kill(),
    kill: () => {
      if (child.pid !== undefined) killNow(child.pid)
    },
  }
}

async function* linesOf(child: Electron.UtilityProcess): AsyncIterable<string> {
  if (child.stdout === null) await once(child, 'spawn')
  if (child.stdout !== null) yield* createInterface({ input: child.stdout })
}

const withoutGaps = (env: NodeJS.ProcessEnv): Record<string, string> => Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const killNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It may have exited already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
