import { spawn } from 'node:child_process'
import { once } from 'node:events'

const probeMs = 3_000
const longestFetchMs = 5 * 60 * 1_000

/** Whether the file at `source` can be downloaded from here, within three seconds. */
export const isReachable = (source: string, patienceMs = probeMs): Promise<boolean> => fetch(source, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) }).then(({ ok }) => ok, () => false)

/** Runs the runtime package's own installer, with its output on stderr; true if it succeeds. */
export const fetchRuntime = async (installer: string, patienceMs = longestFetchMs): Promise<boolean> => {
  // It is a third party's program: it gets none of our settings, least of all a secret.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FILLBOOK_')))
  const child = spawn(process.execPath, [installer], { env, stdio: ['ignore', 2, 2], timeout: patienceMs })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
