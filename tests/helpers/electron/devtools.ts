import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The payload of an answer or an event, as the protocol gives it. */
export type Payload = Record<string, unknown>

/** One attached target, or the browser itself. */
export type Devtools = {
  readonly send: (method: string, params?: Payload) => Promise<Payload>
  readonly on: (method: string, hear: (params: Payload) => void) => void
  /** The same connection, speaking with a target that was attached. */
  readonly session: (sessionId: string) => Devtools
}

/** The part of an answer that a caller knows the shape of: what comes is the browser's own. */
export const payloadOf = <T>(value: unknown): T => value as T

type Message = { readonly id?: number; readonly method?: string; readonly params?: Payload; readonly result?: Payload; readonly error?: { message: string }; readonly sessionId?: string }

const connect = async (address: string): Promise<Devtools> => {
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => { resolve() })
    socket.addEventListener('error', () => { reject(new Error('Chromium did not answer')) })
  })
  const waiting = new Map<number, { resolve: (result: Payload) => void; reject: (error: Error) => void }>()
  const hearing = new Map<string, ((params: Payload) => void)[]>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params = {}, result = {}, error, sessionId = '' } = JSON.parse(String(data)) as Message
    if (id === undefined) {
      for (const hear of hearing.get(`${sessionId} ${String(method)}`) ?? []) hear(params)
      return
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium is gone'))
    waiting.clear()
  })
  const speak = (sessionId: string): Devtools => ({
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject: (error) => { reject(new Error(`${method}: ${error.message}`)) } })
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: last, method, params, ...(sessionId === '' ? {} : { sessionId }) }))
        else reject(new Error(`${method}: Chromium is gone`))
      }),
    on: (method, hear) => {
      const key = `${sessionId} ${method}`
      hearing.set(key, [...(hearing.get(key) ?? []), hear])
    },
    session: speak,
  })
  return speak('')
}

/** A Chromium without a window of its own, on the profile in `folder`. */
export type Chromium = { readonly address: string; readonly devtools: Devtools; readonly end: () => Promise<void> }

// It ends with its parent process, by the pipe. One process for all frames, so that one session gets the events of all; pages that were left are gone, as in Electron.
const switches = ['--headless=new', '--remote-debugging-port=0', '--remote-debugging-pipe', '--no-startup-window', '--no-first-run', '--no-default-browser-check', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings', '--disable-extensions', '--password-store=basic', '--disable-popup-blocking', '--disable-dev-shm-usage', '--disable-gpu', '--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process,BackForwardCache,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable']

/** Starts the Chromium at `path`, and connects to it. */
export const startChromium = async (path: string, folder: string, asRoot: boolean): Promise<Chromium> => {
  const process = spawn(path, [...switches, `--user-data-dir=${folder}`, ...(asRoot ? ['--no-sandbox'] : [])], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  const gone = new Promise<void>((resolve) => process.once('exit', () => { resolve() }))
  const { stderr } = process
  if (stderr === null) throw new Error('Chromium says nothing')
  for await (const line of createInterface(stderr)) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    stderr.resume()
    const devtools = await connect(address)
    return {
      address,
      devtools,
      end: async () => {
        await devtools.send('Browser.close').catch(() => undefined)
        const slow = setTimeout(() => process.kill('SIGKILL'), 3_000)
        await gone
        clearTimeout(slow)
      },
    }
  }
  throw new Error('Chromium did not start')
}
