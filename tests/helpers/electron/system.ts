import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type Electron from 'electron'
import { lookAnew } from './contents.ts'
import { looks, showsDark } from './running.ts'
import { failLoudly, strictEmitter, trueTo, type Drift } from './strict.ts'

// No user answers dialogs here: the tests' recorder handles these calls.
const nobody = (what: string): never => {
  throw new Error(`Nobody is there to answer ${what}`)
}

const dialogs = {
  showMessageBox: (): Promise<Electron.MessageBoxReturnValue> => nobody('dialog.showMessageBox'),
  showMessageBoxSync: (): number => nobody('dialog.showMessageBoxSync'),
  showErrorBox: (title: string, content: string): void => { process.stderr.write(`${title}\n${content}\n`) },
  showSaveDialog: (): Promise<Electron.SaveDialogReturnValue> => nobody('dialog.showSaveDialog'),
  showOpenDialog: (): Promise<Electron.OpenDialogReturnValue> => nobody('dialog.showOpenDialog'),
}
trueTo<Drift<typeof dialogs, Electron.Dialog>>()
/** Electron's `dialog`. */
export const dialog = strictEmitter('dialog', dialogs)

const shells = {
  openExternal: (): Promise<void> => nobody('shell.openExternal'),
  openPath: (): Promise<string> => nobody('shell.openPath'),
  showItemInFolder: (): void => undefined,
  beep: (): void => undefined,
}
trueTo<Drift<typeof shells, Electron.Shell>>()
/** Electron's `shell`. */
export const shell = strictEmitter('shell', shells)

let copied = ''
const clipboards = { readText: (): Promise<string> => Promise.resolve(copied), writeText: (text: string): Promise<void> => { copied = text; return Promise.resolve() } }
trueTo<Drift<typeof clipboards, Electron.Clipboard>>()
/** Electron's `clipboard`, this process's own. */
export const clipboard = strictEmitter('clipboard', clipboards)

const nativeThemes = {
  get themeSource(): 'system' | 'light' | 'dark' { return looks.source },
  set themeSource(source: 'system' | 'light' | 'dark') {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`${String(source)} is no theme source`)
    const before = showsDark()
    looks.source = source
    if (showsDark() !== before) nativeTheme.emit('updated')
  },
  get shouldUseDarkColors(): boolean { return showsDark() },
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean { return looks.os },
  get shouldUseHighContrastColors(): boolean { return false },
  get shouldUseInvertedColorScheme(): boolean { return false },
  get inForcedColorsMode(): boolean { return false },
  get prefersReducedTransparency(): boolean { return false },
}
trueTo<Drift<typeof nativeThemes, Electron.NativeTheme>>()
/** Electron's `nativeTheme`. */
export const nativeTheme = strictEmitter('nativeTheme', nativeThemes)
nativeTheme.on('updated', lookAnew)

const workArea = { x: 0, y: 0, width: 1920, height: 1040 }
const display = { id: 1, label: 'Stub', bounds: { x: 0, y: 0, width: 1920, height: 1080 }, workArea, size: { width: 1920, height: 1080 }, workAreaSize: { width: 1920, height: 1040 }, scaleFactor: 1, rotation: 0, internal: true } as Electron.Display
const screens = {
  getPrimaryDisplay: (): Electron.Display => display,
  getAllDisplays: (): Electron.Display[] => [display],
  getDisplayMatching: (): Electron.Display => display,
  getDisplayNearestPoint: (): Electron.Display => display,
  getCursorScreenPoint: (): Electron.Point => ({ x: 0, y: 0 }),
}
trueTo<Drift<typeof screens, Electron.Screen>>()
/** Electron's `screen`: one display. */
export const screen = strictEmitter('screen', screens)

const powers = { isOnBatteryPower: (): boolean => false, getSystemIdleTime: (): number => 0 }
trueTo<Drift<typeof powers, Electron.PowerMonitor>>()
/** Electron's `powerMonitor`. */
export const powerMonitor = strictEmitter('powerMonitor', powers)

const blocking = new Set<number>()
const blockers = {
  start: (type: 'prevent-app-suspension' | 'prevent-display-sleep'): number => {
    if (!['prevent-app-suspension', 'prevent-display-sleep'].includes(type)) throw new TypeError(`${String(type)} blocks nothing`)
    const id = blocking.size === 0 ? 0 : Math.max(...blocking) + 1
    blocking.add(id)
    return id
  },
  stop: (id: number): boolean => blocking.delete(id),
  isStarted: (id: number): boolean => blocking.has(id),
}
trueTo<Drift<typeof blockers, Electron.PowerSaveBlocker>>()
/** Electron's `powerSaveBlocker`. */
export const powerSaveBlocker = strictEmitter('powerSaveBlocker', blockers)

/** A picture that is only known by its file. */
export class NativeImage extends EventEmitter {
  readonly #path: string
  #template: boolean
  constructor(path: string) {
    super()
    this.#path = path
    this.#template = /Template(@\dx)?\.\w+$/.test(path)
  }
  isEmpty(): boolean { return this.#path === '' || !existsSync(this.#path) }
  setTemplateImage(template: boolean): void { this.#template = template }
  isTemplateImage(): boolean { return this.#template }
}
failLoudly(NativeImage)
trueTo<Drift<NativeImage, Electron.NativeImage>>()
/** Electron's `nativeImage`. */
export const nativeImage = strictEmitter('nativeImage', { createFromPath: (path: string): NativeImage => new NativeImage(path), createEmpty: (): NativeImage => new NativeImage('') })

/** An invisible notification. */
export class Notification extends EventEmitter {
  readonly title: string
  readonly body: string
  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super()
    this.title = title
    this.body = body
  }
  static isSupported(): boolean { return true }
  show(): void { this.emit('show', {}) }
  close(): void { this.emit('close', {}) }
}
failLoudly(Notification)
trueTo<Drift<Notification, Electron.Notification>>()

/** A tray icon; the picture must be there, as Electron wants it. */
export class Tray extends EventEmitter {
  #destroyed = false
  constructor(picture: NativeImage | string) {
    super()
    this.setImage(picture)
  }
  setImage(picture: NativeImage | string): void {
    const image = typeof picture === 'string' ? new NativeImage(picture) : picture
    if (image.isEmpty()) throw new Error('Failed to load image')
  }
  setToolTip(): void { /* The recorder keeps it. */ }
  setTitle(): void { /* As above. */ }
  setContextMenu(): void { /* As above. */ }
  setIgnoreDoubleClickEvents(): void { /* Nobody clicks. */ }
  popUpContextMenu(): void { /* Nobody looks. */ }
  getBounds(): Electron.Rectangle { return { x: 0, y: 0, width: 16, height: 16 } }
  destroy(): void { this.#destroyed = true }
  isDestroyed(): boolean { return this.#destroyed }
}
failLoudly(Tray)
trueTo<Drift<Tray, Electron.Tray>>()
