import { EventEmitter } from 'node:events'
import type { BrowserWindow as Real, BrowserWindowConstructorOptions, Rectangle } from 'electron'
import { destroyContents, pageOf, WebContents } from './contents.ts'
import { app } from './app.ts'
import { openWindows } from './open-windows.ts'
import { screen } from './system.ts'
import { theEngine } from './running.ts'
import { failLoudly, preventable, trueTo, type Drift } from './strict.ts'
import { payloadOf } from './devtools.ts'

type Inner = { bounds: Rectangle; normal: Rectangle; visible: boolean; minimised: boolean; maximised: boolean; full: boolean; destroyed: boolean; title: string; ground: string; least: [number, number] }
const inners = new WeakMap<BrowserWindow, Inner>()
const innerOf = (window: BrowserWindow): Inner => {
  const found = inners.get(window)
  if (!found) throw new Error('Object has been destroyed')
  return found
}
const all = new Set<BrowserWindow>()
let last = 0
let focused: BrowserWindow | null = null
const lookAt = (window: BrowserWindow | null): void => { focused = window }

const beginning = ({ x, y, width = 800, height = 600, title = app.getName(), backgroundColor = '#FFFFFF', minWidth = 0, minHeight = 0 }: BrowserWindowConstructorOptions): Inner => {
  const area = screen.getPrimaryDisplay().workArea
  const bounds = { x: x ?? area.x + Math.round((area.width - width) / 2), y: y ?? area.y + Math.round((area.height - height) / 2), width: Math.max(width, minWidth), height: Math.max(height, minHeight) }
  return { bounds, normal: bounds, visible: false, minimised: false, maximised: false, full: false, destroyed: false, title, ground: backgroundColor, least: [minWidth, minHeight] }
}

/** A window without a screen: what it holds is a real page, where it is and whether it shows are kept. */
export class BrowserWindow extends EventEmitter {
  readonly id: number
  readonly webContents: WebContents
  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    // Fails where the app is not ready, as Electron does.
    theEngine()
    last += 1
    this.id = last
    const inner = beginning(options)
    inners.set(this, inner)
    all.add(this)
    openWindows.add(this)
    this.webContents = new WebContents(options.webPreferences ?? {})
    this.#follow(inner)
    app.emit('browser-window-created', {}, this)
    app.emit('web-contents-created', {}, this.webContents)
    this.#resize()
    if (options.show !== false) this.show()
  }

  #follow(inner: Inner): void {
    let ready = false
    this.webContents.on('did-finish-load', () => {
      if (ready) return
      ready = true
      this.emit('ready-to-show')
    })
    this.webContents.on('page-title-updated', (event: ReturnType<typeof preventable>, title: string) => {
      this.emit('page-title-updated', event, title, true)
      if (!event.defaultPrevented) inner.title = title
    })
    this.webContents.on('destroyed', () => { this.destroy() })
  }

  #resize(): void {
    const { bounds: { width, height } } = innerOf(this)
    const fit = async (): Promise<void> => {
      const { targetId } = await pageOf(this.webContents)
      const { windowId } = payloadOf<{ windowId: number }>(await theEngine().devtools.send('Browser.getWindowForTarget', { targetId }))
      await theEngine().devtools.send('Browser.setWindowBounds', { windowId, bounds: { width, height } })
    }
    void fit().catch(() => undefined)
  }

  #become(bounds: Rectangle): void {
    const inner = innerOf(this)
    inner.bounds = bounds
    this.#resize()
    this.emit('resize')
    this.emit('move')
  }

  static getAllWindows(): BrowserWindow[] { return [...all] }
  static getFocusedWindow(): BrowserWindow | null { return focused }
  static fromWebContents(contents: WebContents): BrowserWindow | null { return [...all].find(({ webContents }) => webContents === contents) ?? null }
  static fromId(id: number): BrowserWindow | null { return [...all].find((window) => window.id === id) ?? null }

  loadURL(url: string): Promise<void> { return this.webContents.loadURL(url) }
  loadFile(path: string): Promise<void> { return this.webContents.loadFile(path) }
  reload(): void { this.webContents.reload() }
  show(): void {
    const inner = innerOf(this)
    if (!inner.visible) {
      inner.visible = true
      this.emit('show')
    }
    this.focus()
  }
  showInactive(): void { innerOf(this).visible = true; this.emit('show') }
  hide(): void {
    const inner = innerOf(this)
    if (!inner.visible) return
    inner.visible = false
    if (focused === this) focused = null
    this.emit('hide')
  }
  focus(): void {
    if (focused === this) return
    lookAt(this)
    this.emit('focus')
    app.emit('browser-window-focus', {}, this)
  }
  blur(): void { if (focused === this) { focused = null; this.emit('blur') } }
  moveTop(): void { /* There is no pile of windows. */ }
  isVisible(): boolean { const { visible, destroyed } = innerOf(this); return visible && !destroyed }
  isFocused(): boolean { return focused === this }
  isDestroyed(): boolean { return innerOf(this).destroyed }
  isMinimized(): boolean { return innerOf(this).minimised }
  isMaximized(): boolean { return innerOf(this).maximised }
  isFullScreen(): boolean { return innerOf(this).full }
  minimize(): void { innerOf(this).minimised = true; this.emit('minimize') }
  restore(): void { innerOf(this).minimised = false; this.emit('restore') }
  maximize(): void {
    innerOf(this).maximised = true
    this.#become(screen.getPrimaryDisplay().workArea)
    this.emit('maximize')
  }
  unmaximize(): void {
    const inner = innerOf(this)
    inner.maximised = false
    this.#become(inner.normal)
    this.emit('unmaximize')
  }
  setFullScreen(full: boolean): void {
    innerOf(this).full = full
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen')
  }
  getBounds(): Rectangle { return { ...innerOf(this).bounds } }
  getNormalBounds(): Rectangle { return { ...innerOf(this).normal } }
  setBounds(changes: Partial<Rectangle>): void {
    const inner = innerOf(this)
    const next = { ...inner.bounds, ...changes }
    inner.normal = { ...next, width: Math.max(next.width, inner.least[0]), height: Math.max(next.height, inner.least[1]) }
    inner.maximised = false
    this.#become(inner.normal)
  }
  getSize(): number[] { const { width, height } = innerOf(this).bounds; return [width, height] }
  setSize(width: number, height: number): void { this.setBounds({ width, height }) }
  getPosition(): number[] { const { x, y } = innerOf(this).bounds; return [x, y] }
  setPosition(x: number, y: number): void { this.setBounds({ x, y }) }
  getMinimumSize(): number[] { return [...innerOf(this).least] }
  setMinimumSize(width: number, height: number): void { innerOf(this).least = [width, height] }
  center(): void { /* Where it begins. */ }
  getTitle(): string { return innerOf(this).title }
  setTitle(title: string): void { innerOf(this).title = title }
  getBackgroundColor(): string { return innerOf(this).ground }
  setBackgroundColor(color: string): void { innerOf(this).ground = color }
  setMenu(): void { /* A menu has no place without a screen. */ }
  removeMenu(): void { /* As above. */ }
  setMenuBarVisibility(): void { /* As above. */ }
  setAutoHideMenuBar(): void { /* As above. */ }
  flashFrame(): void { /* As above. */ }
  setProgressBar(): void { /* As above. */ }
  close(): void {
    if (innerOf(this).destroyed) return
    const event = preventable({})
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }
  destroy(): void {
    const inner = innerOf(this)
    if (inner.destroyed) return
    inner.destroyed = true
    all.delete(this)
    openWindows.delete(this)
    if (focused === this) focused = null
    destroyContents(this.webContents)
    this.emit('closed')
    if (all.size === 0) app.emit('stub-all-closed')
  }
}
failLoudly(BrowserWindow)
trueTo<Drift<Omit<BrowserWindow, 'webContents'>, Real>>()
