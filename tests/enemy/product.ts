import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser, type Browser } from '../helpers/browser.ts'
import { cleanEnv } from '../helpers/clean-env.ts'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The program under test in a process of its own, on a real journal; its clock is moved from here. */
export type Product = {
  /** Moves the program's clock, UTC ms. */
  readonly setClock: (time: number) => Promise<void>
  /** A browser of a new visitor. */
  readonly newBrowser: () => Promise<Browser>
  readonly stop: () => Promise<void>
}

type Message = { readonly ready?: true; readonly launch?: string; readonly moved?: number }

/** Starts the program with `broker` for its brokerage; its users live in `zone`. */
export const startProduct = async (broker: string, zone: string): Promise<Product> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fillbook-enemy-'))
  const env = cleanEnv({
    FILLBOOK_TIMEZONE: zone,
    FILLBOOK_LOG_LEVEL: 'error',
    FILLBOOK_TRADOVATE_CLIENT_ID: 'enemy-app',
    FILLBOOK_TRADOVATE_CLIENT_SECRET: 'enemy-secret',
    FILLBOOK_TRADOVATE_AUTHORIZE_URL: `${broker}/oauth`,
    FILLBOOK_TRADOVATE_TOKEN_URL: `${broker}/auth/oauthtoken`,
    FILLBOOK_TRADOVATE_LIVE_URL: `${broker}/live/v1`,
    FILLBOOK_TRADOVATE_DEMO_URL: `${broker}/demo/v1`,
    FILLBOOK_TRADOVATE_REPORTS_LIVE_URL: `${broker}/rpt-live/v1`,
    FILLBOOK_TRADOVATE_REPORTS_DEMO_URL: `${broker}/rpt-demo/v1`,
  })
  const child = fork(file('product-child.ts'), ['--data-dir', dataDir], { env, execArgv: ['--import', file('clock-preload.ts')], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  await hear(child, ({ ready }) => ready)
  return {
    setClock: async (time) => {
      child.send({ clock: time })
      await hear(child, ({ moved }) => (moved === time ? true : undefined))
    },
    newBrowser: async () => {
      child.send({ launch: true })
      return openBrowser(await hear(child, ({ launch }) => launch))
    },
    stop: async () => {
      child.send({ stop: true })
      await gone
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const hear = <T>(child: ChildProcess, look: (message: Message) => T | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onExit = (): void => {
      end()
      reject(new Error('The program under test ended'))
    }
    const onMessage = (message: unknown): void => {
      const found = look(message as Message)
      if (found === undefined) return
      end()
      resolve(found)
    }
    child.on('message', onMessage)
    child.once('exit', onExit)
  })
