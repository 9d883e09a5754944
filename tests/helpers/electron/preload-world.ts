import { crossing, worldBridge, type Crossing, type WorldGiven } from './worlds.ts'

/** The world in which preloads run; pages cannot look into it. */
export const isolatedWorldName = 'Electron Isolated Context'

/** The name of the preload's way to the main process, inside its world alone. */
export const bindingName = '__toElectronMain'

type Listener = (event: object, ...args: unknown[]) => void
/** What the main process sends into the preload's world. */
export type Delivered = { readonly id: number; readonly value: string } | { readonly id: number; readonly error: string } | { readonly channel: string; readonly args: string }
/** What the preload's world sends to the main process; `args` and answers are encoded. */
export type Sent = { readonly kind: 'invoke'; readonly id: number; readonly channel: string; readonly args: string } | { readonly kind: 'send'; readonly channel: string; readonly args: string }
/** A synchronous request: the page is blocked until the answer. */
export type AskedAtOnce = { readonly kind: 'sync'; readonly channel: string; readonly args: string } | { readonly kind: 'module'; readonly from: string; readonly name: string }

/** Runs in the preload's world at the beginning of each document: `electron` as a preload finds it, and the preload. */
const preloadWorld = (given: WorldGiven, toMain: (message: string) => void, { encode, decode }: Crossing, expose: (name: string, api: unknown) => void): void => {
  const listeners = new Map<string, Listener[]>()
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  const tell = (message: Sent): void => { toMain(JSON.stringify(message)) }
  const askAtOnce = (asked: string): string => {
    // The main process sees the pause, and writes the answer here.
    const reply = { answer: '' }
    debugger
    return reply.answer === '' ? JSON.stringify({ error: `Nobody answered ${asked}` }) : reply.answer
  }
  const atOnce = (asked: AskedAtOnce): unknown => {
    const got = JSON.parse(askAtOnce(JSON.stringify(asked))) as { value: string } | { error: string }
    if ('error' in got) throw new Error(got.error)
    return decode(got.value)
  }
  const heard = (channel: string): Listener[] => listeners.get(channel) ?? []
  const on = (channel: string, listener: Listener) => {
    listeners.set(channel, [...heard(channel), listener])
    return ipcRenderer
  }
  const off = (channel: string, listener: Listener) => {
    listeners.set(channel, heard(channel).filter((one) => one !== listener))
    return ipcRenderer
  }
  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        last += 1
        const encoded = encode(args)
        waiting.set(last, { resolve, reject })
        tell({ kind: 'invoke', id: last, channel, args: encoded })
      }),
    send: (channel: string, ...args: unknown[]) => { tell({ kind: 'send', channel, args: encode(args) }) },
    sendSync: (channel: string, ...args: unknown[]) => atOnce({ kind: 'sync', channel, args: encode(args) }),
    on, addListener: on, off, removeListener: off,
    once: (channel: string, listener: Listener) => {
      const first: Listener = (event, ...args) => { off(channel, first); listener(event, ...args) }
      return on(channel, first)
    },
    removeAllListeners: (channel: string) => { listeners.delete(channel); return ipcRenderer },
  }
  const contextBridge = { exposeInMainWorld: expose }
  const electron = { contextBridge, ipcRenderer, nativeImage: {}, webFrame: { setZoomLevel: () => undefined } }
  const process = {
    argv: [...given.argv], versions: given.versions, platform: given.platform, env: given.env, type: 'renderer', sandboxed: given.sandboxed, contextIsolated: true, isMainFrame: true, pid: 1,
    on: () => process, once: () => process,
    _linkedBinding: () => ({ getHiddenValue: () => `context-${String(Math.random())}`, setHiddenValue: () => undefined, isDesktopCapturerEnabled: () => false, isViewApiEnabled: () => false }),
  }
  // A sandboxed preload has a handful of modules; one that is not sandboxed reads files as Node does.
  const loaded = new Map<string, { exports: unknown }>()
  const requireFrom = (from: string) => (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer' || name === 'electron/common') return electron
    if (given.sandboxed) throw new Error(`module not found: ${name}`)
    const { path, source } = atOnce({ kind: 'module', from, name }) as { path: string; source: string }
    const before = loaded.get(path)
    if (before) return before.exports
    const module = { exports: {} as unknown }
    loaded.set(path, module)
    run(source, path, module)
    return module.exports
  }
  // `Function` would be held to the policy of the page, which the preload's world is not.
  const run = (source: string, path: string, module: { exports: unknown }): void => {
    const wrapped = (globalThis as unknown as { __compile: (source: string) => (...args: unknown[]) => void }).__compile(source)
    wrapped.call(module.exports, module.exports, requireFrom(path), module, path, path.replace(/[/\\][^/\\]*$/, ''), process, globalThis, given.sandboxed ? undefined : Uint8Array)
  }
  Object.assign(globalThis, {
    __fromElectronMain: (delivered: Delivered): void => {
      if ('channel' in delivered) {
        const args = decode(delivered.args) as unknown[]
        for (const listener of heard(delivered.channel)) listener({ sender: ipcRenderer, ports: [], senderId: 0 }, ...args)
        return
      }
      const asked = waiting.get(delivered.id)
      waiting.delete(delivered.id)
      if ('error' in delivered) asked?.reject(new Error(delivered.error))
      else asked?.resolve(decode(delivered.value))
    },
  })
  if (given.preload !== '') run(given.preload, given.preloadPath, { exports: {} })
}

const parameters = 'exports, require, module, __filename, __dirname, process, global, Buffer'

/** The text that begins each document in the preload's world. In frames inside a page no preload runs. */
export const preloadWorldText = (given: WorldGiven): string =>
  `if (window === window.parent) {
    const toMain = globalThis[${JSON.stringify(bindingName)}]
    globalThis.__compile = (source) => source === ${JSON.stringify('\u0000preload')} ? function (${parameters}) { ${given.preload}\n } : (0, eval)('(function (${parameters}) {' + source + '\\n})')
    const { expose } = (${worldBridge.toString()})(${JSON.stringify(given.secret)}, 'isolated');
    (${preloadWorld.toString()})(${JSON.stringify({ ...given, preload: given.preload === '' ? '' : '\u0000preload' })}, toMain, (${crossing.toString()})(), expose)
  }`

/** The text that begins each document in the page's own world: it leaves nothing there but a listener. */
export const pageWorldText = (secret: string): string => `if (window === window.parent) (${worldBridge.toString()})(${JSON.stringify(secret)}, 'main')`
