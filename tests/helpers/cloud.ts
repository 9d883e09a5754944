import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { cleanEnv } from './clean-env.ts'
import { programFile } from './program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readyLine = /^Fillbook Cloud is ready at (http:\/\/\S+)$/
const devToken = z.object({ token: z.string(), userId: z.string(), expiresAt: z.iso.datetime() })

/** What the development issuer gives for an e-mail address. */
export type DevToken = z.infer<typeof devToken>

/** Who the development issuer makes of an e-mail address: known before it runs, so that settings can name the user. */
export const devUserId = (email: string): string => `dev-${createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32)}`

/** The cloud in a process of its own, as `npm run cloud` starts it. */
export type RunningCloud = {
  readonly url: string
  /** From its own development issuer; good for an hour, and for as long as this process lives. */
  readonly tokenOf: (email: string) => Promise<DevToken>
  /** Ends it as a power cut does, and waits until it is gone. */
  readonly kill: () => Promise<void>
  /** Ends it as the system does, and waits until it is gone; gives its exit code. */
  readonly stop: () => Promise<number | null>
  /** What it has written to its log so far. */
  readonly stderr: () => string
}

type Options = {
  /** PostgreSQL; without it `dataDir` holds an embedded database. */
  readonly databaseUrl?: string
  readonly dataDir?: string
  readonly port?: number
  readonly mode?: 'development' | 'production'
  readonly env?: Record<string, string>
}

/** Runs the cloud with no settings but those given; `ended` gives its exit code. */
export const runCloud = ({ databaseUrl, dataDir, port = 0, mode, env = {} }: Options) => {
  const child = spawn(process.execPath, [programFile('cloud/main.ts'), '--port', String(port)], {
    cwd: root,
    env: {
      ...cleanEnv(),
      FILLBOOK_SECRETS: undefined,
      DATABASE_URL: databaseUrl,
      ...(dataDir === undefined ? {} : { FILLBOOK_CLOUD_DATA_DIR: dataDir }),
      ...(mode === undefined ? {} : { FILLBOOK_CLOUD_MODE: mode }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, stderr: () => stderr }
}

/** Starts the cloud, in development mode unless another is named, and waits for its ready line; throws with its output if it exits before. The caller stops it. */
export const startCloud = async (options: Options): Promise<RunningCloud> => {
  const { child, ended, stderr } = runCloud({ mode: 'development', ...options })
  for await (const line of createInterface(child.stdout)) {
    const url = readyLine.exec(line)?.[1]
    if (url === undefined) continue
    return {
      url,
      tokenOf: async (email) => {
        const answer = await fetch(`${url}/dev/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email }) })
        return devToken.parse(await answer.json())
      },
      kill: async () => {
        child.kill('SIGKILL')
        await ended
      },
      stop: () => {
        child.kill('SIGTERM')
        return ended
      },
      stderr,
    }
  }
  throw new Error(`The cloud ended before it was ready:\n${stderr()}`)
}
