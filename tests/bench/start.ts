import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { openApi } from '#cli/headless-user.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { buildDesktop } from '../../build/desktop.ts'
import { cleanEnv } from '../helpers/clean-env.ts'
import { makeSmall, multiplied } from './large-journals.ts'
import { median, rounded, type BenchRow } from './row.ts'

const runs = 9
const limits = { start: 3, growth: 1.5 }

// What the desktop does to start its backend, here in a plain Node.
const program = `
  import { join } from 'node:path'
  import { startBackend, readSettings, problemsText } from './backend.js'
  const settings = readSettings({ env: process.env, port: '0' })
  if (!settings.ok) throw new Error(problemsText(settings.error))
  const here = import.meta.dirname
  const started = await startBackend({
    settings: settings.value,
    paths: { pages: join(here, 'pages'), migrations: join(here, 'migrations', 'sqlite'), cloud: join(here, 'cloud-main.js') },
    version: '0.0.0-bench',
    now: () => Date.now(),
    broken: (part) => { throw new Error(part) },
  })
  if (!started.ok) throw new Error(problemsText(started.error))
  console.log(await started.value.launchUrl('anybody'))
  process.on('SIGTERM', () => started.value.stop().then(() => process.exit(0)))
`

/**
 * From the start of a process to its first answered call: the backend as the desktop's bundle has it, on a data folder that is there, against a
 * program of Express and better-sqlite3 alone that is bundled the same way and answers a call from the same journal. In turns, medians.
 */
export const benchStart = async (): Promise<readonly BenchRow[]> => {
  // Below the packages that both find by their place.
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/bench-start-${String(process.pid)}`, import.meta.url))
  try {
    const [bundle, plain] = [join(folder, 'bundle'), join(folder, 'plain')]
    await bundleBoth(bundle, plain)
    const tenth = join(folder, 'tenth')
    const whole = join(folder, 'whole')
    await multiplied(await makeSmall(tenth), whole, 10)
    const product = (dataDir: string): Promise<number> => untilAnswered([join(bundle, 'run.js')], { FILLBOOK_DATA_DIR: dataDir }, askProduct)
    const took: [product: number, plain: number, tenth: number][] = []
    for (let run = 0; run <= runs; run += 1) {
      const turn: (typeof took)[number] = [await product(whole), await untilAnswered([join(plain, 'plain-server.js'), join(whole, 'journal.db')], {}, askPlain), await product(tenth)]
      // The first turn warms up.
      if (run > 0) took.push(turn)
    }
    const [own, byHand, small] = [median(took.map(([first]) => first)), median(took.map(([, second]) => second)), median(took.map(([, , third]) => third))]
    return [
      { name: 'start to the first answer, bundled', ratio: own / byHand, limit: limits.start, details: { start: rounded(own), plain: rounded(byHand), runs } },
      { name: 'start to the first answer, growth from a tenth of the journal', ratio: own / small, limit: limits.growth, details: { few: rounded(small), many: rounded(own) } },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const bundleBoth = async (bundle: string, plain: string): Promise<void> => {
  await buildDesktop(bundle)
  await writeFile(join(bundle, 'run.js'), program)
  const input = fileURLToPath(new URL('./plain-server.ts', import.meta.url))
  await build({ configFile: false, logLevel: 'warn', mode: 'production', ssr: { noExternal: true, external: ['better-sqlite3'] }, build: { ssr: true, outDir: plain, minify: false, target: 'node24', rollupOptions: { input: { 'plain-server': input }, output: { format: 'esm', entryFileNames: '[name].js' } } } })
  await mkdir(plain, { recursive: true })
  await writeFile(join(plain, 'package.json'), '{"type":"module"}')
}

/** The call that every page begins with. */
const askProduct = async (launchUrl: string): Promise<unknown> => (await openApi(launchUrl))(sessionRoutes.session)

const askPlain = async (url: string): Promise<unknown> => {
  const answer = await fetch(new URL(sessionRoutes.session.path, url))
  if (!answer.ok) throw new Error(`The plain program answered ${String(answer.status)}`)
  return answer.json()
}

/** Milliseconds from the start of a program, which prints its address, to its first answer; it is ended then. */
const untilAnswered = async (words: readonly string[], env: Record<string, string>, ask: (url: string) => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  const child = spawn(process.execPath, [...words], { env: cleanEnv({ NODE_ENV: 'production', ...env }), stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    const [url] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => Promise.reject(new Error('It ended before it was ready')))])) as [string]
    await ask(url)
    return performance.now() - from
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
