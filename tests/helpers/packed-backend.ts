import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { testFolder } from './app.ts'
import { cleanEnv } from './clean-env.ts'

// What the desktop does to start its backend, here in a plain Node.
const program = `
  import { join } from 'node:path'
  import { pathToFileURL } from 'node:url'
  const [resources] = process.argv.slice(2)
  const { startBackend, readSettings, problemsText } = await import(pathToFileURL(join(resources, 'app.asar', 'backend.js')).href)
  const settings = readSettings({ env: process.env, port: '0' })
  if (!settings.ok) throw new Error(problemsText(settings.error))
  const started = await startBackend({
    settings: settings.value,
    paths: { pages: join(resources, 'pages'), migrations: join(resources, 'migrations', 'sqlite'), cloud: join(resources, 'app.asar.unpacked', 'cloud-main.js') },
    version: '0.0.0-packed',
    now: () => Date.now(),
    broken: (part) => { throw new Error(part) },
  })
  if (!started.ok) throw new Error(problemsText(started.error))
  console.log(await started.value.launchUrl('anybody'))
  process.on('SIGTERM', () => started.value.stop().then(() => process.exit(0)))
`

/** Starts the packed backend on the resources that lie in `resources` as Electron shows them, with a data folder of its own. It ends with the test. */
export const startPackedBackend = (resources: string) => {
  const dataDir = testFolder()
  // A file of its own, since threads take over how their program was started.
  const file = join(resources, '..', 'run.mjs')
  writeFileSync(file, program)
  const child = spawn(process.execPath, [file, resources], { cwd: tmpdir(), env: { ...cleanEnv(), FILLBOOK_DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, logged: () => readFileSync(join(dataDir, 'logs', 'fillbook.1.log'), 'utf8') }))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const ready = once(createInterface(child.stdout), 'line').then(([line]) => line as string)
  const launchUrl = (): Promise<string> => Promise.race([ready, ended.then((end): string => { throw new Error(`It ended before it was ready: ${end.output}\n${end.logged()}`) })])
  return { launchUrl, ended, stop: () => void child.kill('SIGTERM') }
}
