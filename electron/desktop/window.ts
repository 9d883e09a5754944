import { BrowserWindow, dialog, screen, type WebContents } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { originArgument } from '#shared/bridge/channels.ts'
import { offerContextMenu } from './menus.ts'
import { guardNavigation, type Places } from './navigation.ts'
import type { ShellStore, WindowBounds } from './shell-state.ts'
import type { Words } from './words.ts'

/** Dependencies of the window. */
export type MainWindowDeps = Places & {
  /** Returns a one-time URL that opens the app. */
  readonly launchUrl: () => Promise<string>
  readonly preload: string
  readonly packaged: boolean
  readonly store: ShellStore
  readonly words: Words
  readonly log: Log
  /** The background color behind an unpainted page. */
  readonly ground: () => string
  /** Whether the program is quitting, so that closing is not prevented. */
  readonly quitting: () => boolean
  /** Called when the user closes the window, before it is destroyed. */
  readonly closed: () => void
  /** Called when the page's process died while the window was visible. */
  readonly died: () => void
}

/** Shows an open window in front of the others. */
export const comeForward = (window: BrowserWindow): void => {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** The one window that shows the app, created when first shown. */
export const createMainWindow = (deps: MainWindowDeps) => {
  const { origin, words, log } = deps
  let window: BrowserWindow | null = null
  /** Whether the window was shown after its first load; from then on only a request shows it. */
  let revealed = false
  /** Settles when the app has loaded or failed to load. */
  let begun: Promise<void> = Promise.resolve()

  const open = (): BrowserWindow => {
    const opened = new BrowserWindow({ ...boundsOf(deps.store), ...optionsOf(deps) })
    revealed = false
    // Showing it earlier would flash an empty window.
    opened.once('ready-to-show', () => reveal(opened))
    opened.on('close', (event) => {
      saveBounds(deps.store, opened)
      if (deps.quitting()) return
      event.preventDefault()
      deps.closed()
    })
    opened.once('closed', () => {
      if (window === opened) window = null
    })
    watchPage(opened)
    return opened
  }

  const watchPage = (opened: BrowserWindow): void => {
    const contents = opened.webContents
    guardNavigation(contents, deps)
    offerContextMenu(contents, words)
    const foreignHost = (): string | null => hostUnless(contents.mainFrame.url, origin)
    // A password prompt must show its origin.
    const nameHost = (): void => {
      const host = foreignHost()
      if (host !== null) opened.setTitle(words('window.elsewhere', { host }))
    }
    contents.on('did-navigate', nameHost)
    opened.on('page-title-updated', (event) => {
      if (foreignHost() === null) return
      event.preventDefault()
      nameHost()
    })
    contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
      if (!isMainFrame || code === aborted) return
      log.warn({ reason }, 'loading a page failed')
      const host = hostUnless(address, origin)
      if (host !== null) void showUnreachable(opened, host)
    })
    contents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit' || deps.quitting()) return
      log.error({ reason }, 'page crashed')
      const seen = opened.isVisible()
      opened.destroy()
      // A hidden one is recreated when needed.
      if (seen) deps.died()
    })
  }

  const showUnreachable = async (opened: BrowserWindow, host: string): Promise<void> => {
    await dialog.showMessageBox(opened, { type: 'warning', message: words('window.unreachable', { host }), detail: words('window.unreachableDetail'), buttons: [words('window.back')], noLink: true })
    if (!opened.isDestroyed()) await load(opened.webContents, `${origin}/`)
  }

  /** False if another load superseded it, which is not a failure. */
  const load = async (contents: WebContents, address: string): Promise<boolean> => {
    try {
      await contents.loadURL(address)
      return true
    } catch (error) {
      const isSuperseded = (error as { errno?: number }).errno === aborted
      if (!isSuperseded) log.warn({ error }, 'loading a page of the app failed')
      return !isSuperseded
    }
  }

  const reveal = (opened: BrowserWindow): void => {
    if (opened !== window || revealed) return
    revealed = true
    if (deps.store.read().window?.maximised === true) opened.maximize()
    opened.show()
  }

  const begin = async (opened: BrowserWindow): Promise<void> => {
    // A load that supersedes this one has no key, and each launch URL works once, so retry with a new one.
    for (let tries = 0; tries < maxTries && !opened.isDestroyed(); tries += 1) if (await load(opened.webContents, await deps.launchUrl())) break
    // A page that failed to load never becomes ready to show.
    reveal(opened)
  }

  const navigate = async (opened: BrowserWindow, address: string): Promise<void> => {
    // A second load cancels the first, and without the first there is no session.
    await begun
    if (!opened.isDestroyed()) await load(opened.webContents, address)
  }

  const show = (address: string | null = null): void => {
    // During shutdown the window would have no backend.
    if (deps.quitting()) return
    if (window === null) {
      window = open()
      begun = begin(window).catch((error: unknown) => log.error({ error }, 'opening the app failed'))
    } else if (revealed) comeForward(window)
    if (address !== null) void navigate(window, address)
  }

  const hide = (): void => {
    if (window === null) return
    if (!window.isFullScreen()) return window.hide()
    // Hiding a full-screen window leaves a black screen on macOS.
    window.once('leave-full-screen', () => window?.hide())
    window.setFullScreen(false)
  }

  return {
    /** Shows the window, creates it if needed, and navigates it to `address` if given. */
    show,
    hide,
    /** The window's page; null while there is no window. */
    contents: (): WebContents | null => window?.webContents ?? null,
    /** Sends a value on a bridge channel, but only to the app's own page. */
    send: (channel: string, value: unknown): void => {
      // A crashed page has no main frame.
      if (window !== null && !window.webContents.isCrashed() && window.webContents.mainFrame.origin === origin) window.webContents.send(channel, value)
    },
    /** Sets the background color behind an unpainted page. */
    paintGround: (color: string): void => window?.setBackgroundColor(color),
    /** Goes back one step; from a foreign page, to the app's home page. */
    back: (): void => {
      if (window === null) return
      const { webContents: contents } = window
      if (hostUnless(contents.mainFrame.url, origin) === null) contents.navigationHistory.goBack()
      else void load(contents, `${origin}/`)
    },
    forward: (): void => window?.webContents.navigationHistory.goForward(),
    /** Closes the window without asking its page. */
    destroy: (): void => {
      if (window === null) return
      saveBounds(deps.store, window)
      window.destroy()
    },
  }
}

// Give up if something keeps superseding the load.
const maxTries = 3

// Chromium's ERR_ABORTED.
const aborted = -3

const optionsOf = ({ preload, origin, packaged, ground }: MainWindowDeps): Electron.BrowserWindowConstructorOptions => ({
  show: false,
  title: 'Fillbook',
  backgroundColor: ground(),
  webPreferences: {
    preload,
    additionalArguments: [`${originArgument}${origin}`],
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: true,
    devTools: !packaged,
  },
})

const boundsOf = (store: ShellStore): Electron.BrowserWindowConstructorOptions => {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  const areas = [main.workArea, ...others.map(({ workArea }) => workArea)] as const
  const { x, y, width, height } = initialPlace(areas, store.read().window)
  const smallest = smallestOn(areas)
  return { ...(x === undefined || y === undefined ? {} : { x, y }), width, height, minWidth: smallest.width, minHeight: smallest.height }
}

const hostUnless = (address: string, origin: string): string | null => {
  const url = URL.parse(address)
  return url === null || url.origin === origin || url.host === '' ? null : url.host
}

const saveBounds = (store: ShellStore, window: BrowserWindow): void => {
  // The normal bounds, not those of a maximized or full-screen window.
  store.change({ window: { ...window.getNormalBounds(), maximised: window.isMaximized() } })
}

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A new window's bounds: without `x` and `y` it is centered on the first display. */
type InitialPlace = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number; readonly maximised: boolean }

/** The page's minimum size, in device-independent pixels. */
const smallestWindow = { width: 1024, height: 600 } as const

const firstSize = { width: 1440, height: 900 }
// How much of the title bar must be visible to drag the window.
const grip = { width: 160, height: 32 }

/** The minimum window size on these displays, which may be smaller than the page's minimum. */
export const smallestOn = (displays: readonly Area[]): { readonly width: number; readonly height: number } => ({
  width: Math.min(smallestWindow.width, ...displays.map(({ width }) => width)),
  height: Math.min(smallestWindow.height, ...displays.map(({ height }) => height)),
})

/**
 * The window's initial bounds on the current displays, the main one first, each given by its work area. Remembered
 * bounds are used as far as they fit a display: never out of reach and never larger than it.
 */
export const initialPlace = (displays: readonly [Area, ...Area[]], remembered: WindowBounds | null): InitialPlace => {
  const display = remembered === null ? null : mostCovered(displays, remembered)
  if (remembered === null || display === null) {
    return { ...fitted(remembered ?? firstSize, displays[0]), maximised: remembered?.maximised ?? false }
  }
  const size = fitted(remembered, display)
  const reachable = displays.some((area) => holdsGrip(area, { ...remembered, ...size }))
  const corner = reachable ? { x: remembered.x, y: remembered.y } : { x: within(remembered.x, size.width, display.x, display.width), y: within(remembered.y, size.height, display.y, display.height) }
  return { ...corner, ...size, maximised: remembered.maximised }
}

const overlap = (one: number, length: number, other: number, otherLength: number): number => Math.max(0, Math.min(one + length, other + otherLength) - Math.max(one, other))

/** The display that shows most of the window; null if the window is off screen. */
const mostCovered = (displays: readonly Area[], window: Area): Area | null => {
  const covered = (area: Area): number => overlap(window.x, window.width, area.x, area.width) * overlap(window.y, window.height, area.y, area.height)
  const best = displays.reduce<Area | null>((most, area) => (most === null || covered(area) > covered(most) ? area : most), null)
  return best === null || covered(best) === 0 ? null : best
}

const fitted = ({ width, height }: { readonly width: number; readonly height: number }, area: Area): { width: number; height: number } => ({
  width: Math.min(Math.max(width, smallestWindow.width), area.width),
  height: Math.min(Math.max(height, smallestWindow.height), area.height),
})

const holdsGrip = (area: Area, window: Area): boolean =>
  window.y >= area.y && window.y + grip.height <= area.y + area.height && overlap(window.x, window.width, area.x, area.width) >= grip.width

const within = (start: number, length: number, areaStart: number, areaLength: number): number => Math.max(areaStart, Math.min(start, areaStart + areaLength - length))
