import { readFileSync } from 'node:fs'
import { open, readdir, stat, writeFile } from 'node:fs/promises'
import { arch, cpus, homedir, platform, totalmem, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { enable, initialize } from '@electron/remote/main/index.js'
import { app, BrowserWindow, clipboard, dialog, session, shell, type Session } from 'electron'
import type { Settings } from '#backend/settings.ts'
import type { Log } from '#shared/base/log.ts'
import { diagnosticsTexts, type DiagnosticsAnswers, type NamedValue, type ProcessFigures } from '#shared/bridge/diagnostics-bridge.ts'
import { createAsk, guardRemote, type DiagnosticsCalls } from './remote-gate.ts'
import { supportBundle, type SupportFacts } from './support-bundle.ts'
import { grounds } from './theme.ts'
import { comeForward } from './window.ts'
import type { Words } from './words.ts'

/** Dependencies of the Diagnostics window. */
export type DiagnosticsDeps = {
  readonly preloadPath: string
  /** The page: one self-contained file. */
  readonly pagePath: string
  readonly dataDir: string
  readonly logsDir: string
  readonly version: string
  readonly words: Words
  readonly log: Log
  readonly settings: Settings
  /** The journal's part of the support bundle. If it rejects, the bundle leaves it out. */
  readonly facts: () => Promise<NonNullable<SupportFacts>>
  readonly dark: () => boolean
}

const shownLines = { lines: 200, bytes: 200_000 }
const bundledLines = { lines: 5_000, bytes: 1_000_000 }
const longestFactsMs = 10_000

/**
 * Opens the Diagnostics window: one at a time, and the only one for which `@electron/remote` is
 * enabled and whose preload runs without the sandbox. Its own in-memory session has no network access.
 */
export const createDiagnostics = (deps: DiagnosticsDeps): { readonly open: () => void } => {
  const { words, log } = deps
  let window: BrowserWindow | null = null
  let own: Session | null = null

  const openSession = (): Session => {
    const ask = createAsk(callsOf(deps, () => window), (error) => log.error({ error }, 'Diagnostics request failed'))
    guardRemote(app, { isDiagnostics: (contents) => window !== null && contents === window.webContents, ask, refused: (decision, name) => log.warn({ decision, name }, 'access through @electron/remote was denied') })
    initialize()
    return closedSession()
  }

  words.onChange(() => window?.webContents.reload())

  return {
    open: () => {
      if (window !== null) return comeForward(window)
      own ??= openSession()
      const opened = new BrowserWindow(optionsOf(deps, own))
      window = opened
      opened.once('ready-to-show', () => opened.show())
      opened.once('closed', () => {
        window = null
      })
      blockNavigation(opened)
      enable(opened.webContents)
      opened.loadURL(pageAddress(deps.pagePath)).catch((error: unknown) => log.error({ error }, 'opening Diagnostics failed'))
    },
  }
}

// A data URL with the page's content: a file URL could reference other files, and file URLs have no permissions here.
const pageAddress = (path: string): string => `data:text/html;charset=utf-8;base64,${readFileSync(path).toString('base64')}`

const optionsOf = ({ preloadPath, dark, words }: DiagnosticsDeps, own: Session): Electron.BrowserWindowConstructorOptions => ({
  show: false,
  title: words('diagnostics.title'),
  width: 880,
  height: 760,
  minWidth: 480,
  minHeight: 360,
  backgroundColor: dark() ? grounds.dark : grounds.light,
  fullscreenable: false,
  webPreferences: {
    preload: preloadPath,
    session: own,
    contextIsolation: true,
    // The one exception: the preload needs @electron/remote, which is not available in a sandbox.
    sandbox: false,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: !app.isPackaged,
  },
})

/** An in-memory session that denies every permission, download and request except the page itself. */
const closedSession = (): Session => {
  const own = session.fromPartition('diagnostics')
  own.webRequest.onBeforeRequest(({ url, resourceType }, answer) => answer({ cancel: !(resourceType === 'mainFrame' && url.startsWith('data:text/html;')) }))
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  own.setPermissionCheckHandler(() => false)
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  return own
}

const blockNavigation = ({ webContents }: BrowserWindow): void => {
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  webContents.on('will-navigate', (event) => event.preventDefault())
  webContents.on('will-frame-navigate', (event) => event.preventDefault())
  webContents.on('will-redirect', (event) => event.preventDefault())
}

const callsOf = (deps: DiagnosticsDeps, window: () => BrowserWindow | null): DiagnosticsCalls => {
  const { words, dataDir, logsDir } = deps
  return {
    opening: () => Promise.resolve(openingOf(deps)),
    figures: () => Promise.resolve(processFigures(app.getAppMetrics(), (kind) => words(`diagnostics.kind.${kind}`))),
    log: () => readLogTail(logsDir, shownLines),
    'open-folder': async () => ((await shell.openPath(dataDir)) === '' ? 'opened' : 'failed'),
    'copy-versions': async () => {
      await clipboard.writeText(versionsOf(deps).map(({ name, value }) => `${name} ${value}`).join('\n'))
      return 'copied'
    },
    'save-bundle': () => saveBundle(deps, window()),
    close: () => {
      // After the answer, which needs the page.
      setImmediate(() => window()?.close())
      return Promise.resolve('closing')
    },
  }
}

const openingOf = (deps: DiagnosticsDeps): DiagnosticsAnswers['opening'] => {
  const { words, dataDir, logsDir } = deps
  return {
    language: words.tag(),
    texts: Object.fromEntries(diagnosticsTexts.map((key) => [key, words(`diagnostics.${key}`)])) as DiagnosticsAnswers['opening']['texts'],
    versions: versionsOf(deps),
    paths: [{ name: words('diagnostics.dataFolder'), value: dataDir }, { name: words('diagnostics.journal'), value: join(dataDir, 'journal.db') }, { name: words('diagnostics.logs'), value: logsDir }],
  }
}

const versionsOf = ({ version, words }: DiagnosticsDeps): readonly NamedValue[] => {
  const { electron = '–', chrome = '–', node } = process.versions
  return [
    { name: 'Fillbook', value: version },
    { name: 'Electron', value: electron },
    { name: 'Chromium', value: chrome },
    { name: 'Node.js', value: node },
    { name: words('diagnostics.system'), value: `${platform()} ${process.getSystemVersion()} ${arch()}` },
  ]
}

/** Electron's metrics of a process; `workingSetSize` is in KiB. */
type ProcessMetric = {
  readonly pid: number
  readonly type: string
  readonly name?: string | undefined
  readonly serviceName?: string | undefined
  readonly cpu: { readonly percentCPUUsage: number }
  readonly memory: { readonly workingSetSize: number }
}

const kinds = { Browser: 'main', Tab: 'window', GPU: 'graphics', Utility: 'service', Zygote: 'launcher', 'Sandbox helper': 'launcher' } as const

/** The kind of a process, shown if it has no name. */
type ProcessKind = (typeof kinds)[keyof typeof kinds] | 'other'

/** The figures of all processes, largest first; `kindName` translates a kind. */
export const processFigures = (metrics: readonly ProcessMetric[], kindName: (kind: ProcessKind) => string): readonly ProcessFigures[] =>
  metrics
    .map(({ pid, type, name, cpu, memory }) => {
      const kind = Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'other'
      const word = kindName(kind)
      return { pid, name: name === undefined || name === '' ? word : `${word}: ${name}`, memory: memory.workingSetSize * 1_024, cpu: cpu.percentCPUUsage }
    })
    .toSorted((one, other) => other.memory - one.memory || one.pid - other.pid)

const saveBundle = async (deps: DiagnosticsDeps, window: BrowserWindow | null): Promise<DiagnosticsAnswers['save-bundle']> => {
  const { words, log, settings, dataDir, logsDir, version } = deps
  const options = { title: words('diagnostics.saveBundle'), defaultPath: join(app.getPath('downloads'), `fillbook-support-${new Date().toISOString().slice(0, 10)}.zip`), filters: [{ name: 'ZIP', extensions: ['zip'] }] }
  const { canceled, filePath } = await (window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options))
  if (canceled || filePath === '') return 'cancelled'
  try {
    const [facts, logLines] = await Promise.all([factsOrNull(deps), readLogTail(logsDir, bundledLines)])
    const { electron = '–', chrome = '–', node } = process.versions
    const about = { fillbook: version, electron, chromium: chrome, node, platform: platform(), system: process.getSystemVersion(), arch: arch(), cores: cpus().length, memoryMiB: Math.round(totalmem() / 1_048_576), language: words.tag(), packaged: String(app.isPackaged) }
    const person = { home: homedir(), userName: userInfo().username, dataDir }
    await writeFile(filePath, await supportBundle({ at: Date.now(), about, settings, env: process.env, facts, logLines, person }))
    return 'saved'
  } catch (error) {
    log.error({ error }, 'saving the support bundle failed')
    return 'failed'
  }
}

const factsOrNull = async ({ facts, log }: DiagnosticsDeps): Promise<SupportFacts> => {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), longestFactsMs)
  try {
    return await Promise.race([facts(), late])
  } catch (error) {
    log.warn({ error }, 'reading the journal for the support bundle failed')
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the last whole lines of the log files in `folder`, oldest first: at most `lines` of them, and `bytes` of text of each log. A missing folder has none. */
export const readLogTail = async (folder: string, most: { readonly lines: number; readonly bytes: number }): Promise<readonly string[]> => {
  const files = Map.groupBy(await newestFirst(folder), logOf)
  const ends = await Promise.all([...files.values()].map((ofLog) => endOfLog(ofLog, most)))
  return inTime(ends.flat()).slice(-most.lines)
}

// `fillbook.3.log` is the third file of the log `fillbook`.
const logOf = (path: string): string => basename(path).split('.')[0] ?? ''

// Several logs are written at once, each in order.
const inTime = (lines: readonly string[]): readonly string[] => {
  let last = ''
  const timed = lines.map((line) => ({ line, time: (last = /"time":"([^"]{20,30})"/.exec(line)?.[1] ?? last) }))
  return timed.toSorted((one, other) => (one.time < other.time ? -1 : Number(one.time > other.time))).map(({ line }) => line)
}

const endOfLog = async (newest: readonly string[], { lines, bytes }: { readonly lines: number; readonly bytes: number }): Promise<readonly string[]> => {
  const found: string[] = []
  let left = bytes
  for (const path of newest) {
    if (found.length >= lines || left <= 0) break
    const end = await endOf(path, left)
    left -= Buffer.byteLength(end)
    found.unshift(...end.split('\n').filter((line) => line.trim() !== ''))
  }
  return found.slice(-lines)
}

const newestFirst = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(names.filter((name) => name.endsWith('.log')).map(async (name) => ({ path: join(folder, name), name, at: (await stat(join(folder, name))).mtimeMs })))
  return files.toSorted((one, other) => other.at - one.at || other.name.localeCompare(one.name, 'en', { numeric: true })).map(({ path }) => path)
}

const endOf = async (path: string, bytes: number): Promise<string> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - bytes)
    if (size === 0) return ''
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from })
    const text = buffer.toString('utf8', 0, bytesRead)
    // The first line may be cut off by the byte limit.
    const whole = from === 0 ? 0 : text.indexOf('\n') + 1
    return from > 0 && whole === 0 ? '' : text.slice(whole)
  } finally {
    await file.close()
  }
}
