import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { until } from '../until.ts'
import type { AskedInMain, FromMain } from './agent.ts'
import type { Desktop, StartDesktop } from './desktop.ts'
import { recordsOf } from './records.ts'

const hooks = new URL('./hooks.ts', import.meta.url).href

const callsTo = (child: ChildProcess, gone: Promise<unknown>) => {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  child.on('message', (message: FromMain) => {
    if (!('id' in message)) return
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) asked?.resolve(message.value)
    else asked?.reject(new Error(message.error))
  })
  void gone.then(() => { for (const { reject } of waiting.values()) reject(new Error('The desktop is gone')) })
  return (source: string, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      child.send({ id: last, source, argument } satisfies AskedInMain, (error) => { if (error) reject(error) })
    })
}

/** Starts the desktop in a plain Node, where `electron` is the stub and windows are pages of the Chromium at `browserPath`. */
export const startStubDesktop = (browserPath: string): StartDesktop => async (bundle, start) => {
  const { env, recorded } = recordsOf(start)
  const child = fork(join(bundle, 'main.js'), [...(start.words ?? [])], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', hooks],
    env: { ...env, STUB_CHROMIUM: browserPath, STUB_OS_THEME: start.osTheme ?? 'dark', STUB_DOWNLOADS: join(start.dataDir, 'downloads') },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => { resolve(code) }))
  let isGone = false
  void gone.then(() => { isGone = true })
  let address: string | null = null
  child.on('message', (message: FromMain) => { if ('browser' in message) address = message.browser })
  const call = callsTo(child, gone)

  let connecting: Promise<Browser> | null = null
  const connect = async (): Promise<Browser> => {
    const found = await until(() => address ?? (isGone ? '' : null), 'the desktop’s browser')
    if (found === '') throw new Error(`The desktop ended before it had a browser:\n${output}`)
    // The page keeps what the desktop gives it: its size, its look, its downloads.
    return chromium.connectOverCDP(found, { noDefaults: true })
  }
  let browser: Browser | null = null
  const pages = (): readonly Page[] => browser?.contexts().flatMap((context) => context.pages()) ?? []
  const desktop: Desktop = {
    pages,
    page: async () => {
      browser ??= await (connecting ??= connect())
      return until(() => {
        if (isGone) throw new Error(`The desktop is gone:\n${output}`)
        return pages().find((page) => /^https?:/.test(page.url()))
      }, 'the app’s window')
    },
    inMain: async (run, argument) => (await call(run.toString(), argument)) as never,
    recorded,
    output: () => output,
    gone,
    close: async () => {
      if (!isGone) {
        await call('({ app }) => { app.quit() }', null).catch(() => undefined)
        const slow = setTimeout(() => child.kill('SIGKILL'), 20_000)
        await gone
        clearTimeout(slow)
      }
      await browser?.close().catch(() => undefined)
    },
  }
  return desktop
}
