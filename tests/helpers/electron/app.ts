import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type Electron from 'electron'
import { contentsOfFrame } from './contents.ts'
import { startEngine, type Engine } from './engine.ts'
import { openWindows } from './open-windows.ts'
import { engineRuns } from './running.ts'
import { watchDownloads } from './session.ts'
import { preventable, strictEmitter, trueTo, type Drift } from './strict.ts'

const mainFile = resolve(process.argv[1] ?? '')
const manifest = JSON.parse(readFileSync(join(dirname(mainFile), 'package.json'), 'utf8')) as { name: string; productName?: string; version: string }
const appData = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
const paths = new Map<string, string>([['home', homedir()], ['appData', appData], ['temp', tmpdir()], ['exe', process.execPath], ['module', process.execPath], ['downloads', process.env['STUB_DOWNLOADS'] ?? join(homedir(), 'Downloads')], ['documents', join(homedir(), 'Documents')], ['desktop', join(homedir(), 'Desktop')]])
const pathOf = (name: string): string => {
  const own = paths.get(name)
  if (own !== undefined) return own
  if (name === 'userData') return join(appData, app.getName())
  if (name === 'sessionData') return pathOf('userData')
  if (name === 'logs') return join(pathOf('userData'), 'logs')
  throw new Error(`Failed to get '${name}' path`)
}

let engine: Engine | null = null
let state: 'starting' | 'ready' | 'quitting' | 'gone' = 'starting'
let holdsLock = false
let name = manifest.productName ?? manifest.name

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// The first program of a folder writes its number; a later one leaves its words beside it.
const lock = () => ({ file: join(pathOf('userData'), 'stub-lock'), words: join(pathOf('userData'), 'stub-second') })
const takeLock = (file: string): boolean => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isAlive(Number(readFileSync(file, 'utf8')))) return false
    rmSync(file)
    return takeLock(file)
  }
}
const hearSeconds = (folder: string): void => {
  const look = (): void => {
    for (const file of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
      const { argv, cwd } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { argv: string[]; cwd: string }
      rmSync(join(folder, file))
      app.emit('second-instance', {}, argv, cwd, undefined)
    }
  }
  watch(folder, look).unref()
  look()
}

const end = (code: number): void => {
  if (state === 'gone') return
  state = 'gone'
  app.emit('quit', {}, code)
  if (holdsLock) rmSync(lock().file, { force: true })
  void (engine?.end() ?? Promise.resolve()).finally(() => process.exit(code))
}

const members = {
  get isPackaged(): boolean { return false },
  get dock(): Electron.Dock | undefined { return undefined },
  get commandLine() { return strictEmitter('commandLine', { appendSwitch: (): void => undefined, hasSwitch: (): boolean => false }) as unknown as Electron.CommandLine },
  isReady: (): boolean => state === 'ready',
  whenReady: (): Promise<void> => (state === 'starting' ? new Promise((done) => app.once('ready', () => { done() })) : Promise.resolve()),
  getName: (): string => name,
  setName: (given: string): void => { name = given },
  getVersion: (): string => manifest.version,
  getAppPath: (): string => dirname(mainFile),
  getPath: (which: string): string => pathOf(which),
  setPath: (which: string, path: string): void => { paths.set(which, path) },
  setAppLogsPath: (path?: string): void => { if (path !== undefined) paths.set('logs', path) },
  getLocale: (): string => 'en-US',
  getSystemLocale: (): string => 'en-US',
  getPreferredSystemLanguages: (): string[] => ['en-US'],
  setAppUserModelId: (): void => undefined,
  setAboutPanelOptions: (): void => undefined,
  showAboutPanel: (): void => undefined,
  enableSandbox: (): void => undefined,
  setAsDefaultProtocolClient: (): boolean => true,
  isDefaultProtocolClient: (): boolean => true,
  removeAsDefaultProtocolClient: (): boolean => true,
  getLoginItemSettings: (): Electron.LoginItemSettings => ({ openAtLogin: false, wasOpenedAtLogin: false, status: 'not-registered', executableWillLaunchAtLogin: false, launchItems: [] }),
  setLoginItemSettings: (): void => undefined,
  requestSingleInstanceLock: (): boolean => {
    if (holdsLock) return true
    const { file, words } = lock()
    mkdirSync(words, { recursive: true })
    holdsLock = takeLock(file)
    if (holdsLock) hearSeconds(words)
    else {
      // Put in place by renaming: the first program reads it as soon as it is there.
      const note = join(words, String(process.pid))
      writeFileSync(note, JSON.stringify({ argv: process.argv, cwd: process.cwd() }))
      renameSync(note, `${note}.json`)
    }
    return holdsLock
  },
  hasSingleInstanceLock: (): boolean => holdsLock,
  releaseSingleInstanceLock: (): void => {
    if (holdsLock) rmSync(lock().file, { force: true })
    holdsLock = false
  },
  focus: (): void => undefined,
  relaunch: (): void => undefined,
  exit: (code = 0): void => {
    for (const window of [...openWindows]) window.destroy()
    end(code)
  },
  quit: (): void => {
    if (state === 'gone') return
    const before = preventable({})
    app.emit('before-quit', before)
    if (before.defaultPrevented) return
    state = 'quitting'
    for (const window of [...openWindows]) window.close()
    if (openWindows.size > 0) {
      state = 'ready'
      return
    }
    const will = preventable({})
    app.emit('will-quit', will)
    if (!will.defaultPrevented) end(0)
  },
  getAppMetrics: (): Electron.ProcessMetric[] => [metricOf(process.pid, 'Browser')],
}
trueTo<Drift<Omit<typeof members, 'dock'>, Electron.App>>()

const metricOf = (pid: number, type: Electron.ProcessMetric['type']): Electron.ProcessMetric => {
  const kilobytes = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()) || Math.round(process.memoryUsage().rss / 1_024)
  return { pid, type, creationTime: performance.timeOrigin, cpu: { percentCPUUsage: 0, idleWakeupsPerSecond: 0 }, memory: { workingSetSize: kilobytes, peakWorkingSetSize: kilobytes } }
}

/** Electron's `app`. */
export const app = strictEmitter('app', members)

app.on('stub-all-closed', () => {
  if (state !== 'ready') return
  if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed')
  else app.quit()
})
process.on('SIGTERM', () => { app.quit() })
process.on('SIGINT', () => { app.quit() })

/** Starts the browser once the program's first file is through, and reports that the app is ready. */
export const becomeReady = (): void => {
  setImmediate(() => {
    if (state !== 'starting') return
    void (async () => {
      app.emit('will-finish-launching')
      mkdirSync(pathOf('sessionData'), { recursive: true })
      engine = await startEngine(pathOf('sessionData'))
      engineRuns(engine)
      watchDownloads(engine, contentsOfFrame)
      process.send?.({ browser: engine.address })
      if (state !== 'starting') return
      state = 'ready'
      app.emit('ready', {}, {})
    })()
  })
}
