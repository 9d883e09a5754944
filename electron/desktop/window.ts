import { BrowserWindow, dialog, screen, type WebContents } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { originArgument } from '#shared/bridge/channels.ts'
import type { Places } from './navigation.ts'
import { offerContextMenu } from './menus.ts'
import { guardNavigation } from './navigation-guard.ts'
import type { ShellStore } from './shell-state.ts'
import { beginningOn, smallestOn } from './window-place.ts'
import type { Words } from './words.ts'

/** The one window that shows the app. */
export type MainWindow = {
  /** Brings the window forward, made now where there is none; `address` of the app is where it goes. */
  readonly show: (address?: string | null) => void
  readonly hide: () => void
  /** Its page; null where there is none now. */
  readonly contents: () => WebContents | null
  /** Tells the page something on a channel of the bridge; a page of somebody else's hears nothing. */
  readonly tell: (channel: string, value: unknown) => void
  /** Changes the colour behind a page that is not painted yet. */
  readonly paintGround: (colour: string) => void
  /** One step back; from another's page home. */
  readonly back: () => void
  readonly forward: () => void
  /** Ends it, whatever its page wants. */
  readonly destroy: () => void
}

/** Dependencies of the window. */
export type MainWindowParts = Places & {
  /** Gives an address that opens the app, once. */
  readonly launchUrl: () => Promise<string>
  readonly preload: string
  readonly packaged: boolean
  readonly store: ShellStore
  readonly words: Words
  readonly log: Log
  /** The colour behind a page that is not painted yet. */
  readonly ground: () => string
  /** Whether the program ends, so that nothing keeps the window. */
  readonly quitting: () => boolean
  /** Called when the user closes the window, before it is gone. */
  readonly closed: () => void
  /** Told that the page died while it was to be seen. */
  readonly died: () => void
}

/** Makes the app's window when it is first shown. */
export const createMainWindow = (parts: MainWindowParts): MainWindow => {
  const { origin, words, log } = parts
  let window: BrowserWindow | null = null
  /** The window was shown once: from then on it shows only when somebody wants it. */
  let revealed = false
  /** Settles when the window has the app in it, or could not have it. */
  let begun: Promise<void> = Promise.resolve()

  const open = (): BrowserWindow => {
    const opened = new BrowserWindow({ ...placeOf(parts.store), ...optionsOf(parts) })
    revealed = false
    // Not before: it would show a window without its page.
    opened.once('ready-to-show', () => reveal(opened))
    opened.on('close', (event) => {
      remember(parts.store, opened)
      if (parts.quitting()) return
      event.preventDefault()
      parts.closed()
    })
    opened.once('closed', () => {
      if (window === opened) window = null
    })
    watchPage(opened)
    return opened
  }

  const watchPage = (opened: BrowserWindow): void => {
    const contents = opened.webContents
    guardNavigation(contents, parts)
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
      log.warn({ reason }, 'A page could not be opened')
      const host = hostUnless(address, origin)
      if (host !== null) void sayUnreachable(opened, host)
    })
    contents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit' || parts.quitting()) return
      log.error({ reason }, 'The page died')
      const seen = opened.isVisible()
      opened.destroy()
      // A hidden one is recreated when needed.
      if (seen) parts.died()
    })
  }

  const sayUnreachable = async (opened: BrowserWindow, host: string): Promise<void> => {
    await dialog.showMessageBox(opened, { type: 'warning', message: words('window.unreachable', { host }), detail: words('window.unreachableDetail'), buttons: [words('window.back')], noLink: true })
    if (!opened.isDestroyed()) await load(opened.webContents, `${origin}/`)
  }

  /** False where another load overtook it, which is no failure. */
  const load = async (contents: WebContents, address: string): Promise<boolean> => {
    try {
      await contents.loadURL(address)
      return true
    } catch (error) {
      const isOvertaken = (error as { errno?: number }).errno === aborted
      if (!isOvertaken) log.warn({ error }, 'An address of the app was not opened')
      return !isOvertaken
    }
  }

  const reveal = (opened: BrowserWindow): void => {
    if (opened !== window || revealed) return
    revealed = true
    if (parts.store.read().window?.maximised === true) opened.maximize()
    opened.show()
  }

  const begin = async (opened: BrowserWindow): Promise<void> => {
    // What overtakes it has no key, and an address that opens the app does so once.
    for (let tries = 0; tries < mostTries && !opened.isDestroyed(); tries += 1) if (await load(opened.webContents, await parts.launchUrl())) break
    // A page that could not be opened is never ready.
    reveal(opened)
  }

  const lead = async (opened: BrowserWindow, address: string): Promise<void> => {
    // Of two loads at once only one arrives, and without the first there is no session.
    await begun
    if (!opened.isDestroyed()) await load(opened.webContents, address)
  }

  const comeForward = (opened: BrowserWindow): void => {
    if (!revealed) return
    if (opened.isMinimized()) opened.restore()
    opened.show()
    opened.focus()
  }

  const show = (address: string | null = null): void => {
    // What is asked while the program ends would open a window on nothing.
    if (parts.quitting()) return
    if (window === null) {
      window = open()
      begun = begin(window).catch((error: unknown) => log.error({ error }, 'The app was not opened'))
    } else comeForward(window)
    if (address !== null) void lead(window, address)
  }

  const hide = (): void => {
    if (window === null) return
    if (!window.isFullScreen()) return window.hide()
    // Hidden at once, macOS leaves a black screen behind.
    window.once('leave-full-screen', () => window?.hide())
    window.setFullScreen(false)
  }

  return {
    show,
    hide,
    contents: () => window?.webContents ?? null,
    tell: (channel, value) => {
      // A page that died has no frame to ask.
      if (window !== null && !window.webContents.isCrashed() && window.webContents.mainFrame.origin === origin) window.webContents.send(channel, value)
    },
    paintGround: (colour) => window?.setBackgroundColor(colour),
    back: () => {
      if (window === null) return
      const { webContents: contents } = window
      if (hostUnless(contents.mainFrame.url, origin) === null) contents.navigationHistory.goBack()
      else void load(contents, `${origin}/`)
    },
    forward: () => window?.webContents.navigationHistory.goForward(),
    destroy: () => {
      if (window === null) return
      remember(parts.store, window)
      window.destroy()
    },
  }
}

// Whatever overtakes a load again and again is not to be fought.
const mostTries = 3

// Chromium's ERR_ABORTED.
const aborted = -3

const optionsOf = ({ preload, origin, packaged, ground }: MainWindowParts): Electron.BrowserWindowConstructorOptions => ({
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

const placeOf = (store: ShellStore): Electron.BrowserWindowConstructorOptions => {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  const areas = [main.workArea, ...others.map(({ workArea }) => workArea)] as const
  const { x, y, width, height } = beginningOn(areas, store.read().window)
  const smallest = smallestOn(areas)
  return { ...(x === undefined || y === undefined ? {} : { x, y }), width, height, minWidth: smallest.width, minHeight: smallest.height }
}

const remember = (store: ShellStore, window: BrowserWindow): void => {
  // What it has while it fills the screen is not where it belongs.
  store.change({ window: { ...window.getNormalBounds(), maximised: window.isMaximized() } })
}

const hostUnless = (address: string, origin: string): string | null => {
  const url = URL.parse(address)
  return url === null || url.origin === origin || url.host === '' ? null : url.host
}
