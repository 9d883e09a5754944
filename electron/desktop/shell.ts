import { app, shell as system } from 'electron'
import type { Backend } from '#backend/host.ts'
import type { Settings } from '#backend/settings.ts'
import type { Log } from '#shared/base/log.ts'
import { channels } from '#shared/bridge/channels.ts'
import type { ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import { openAppSession } from './app-session.ts'
import type { bundlePlaces } from './bundle.ts'
import type { CrashBox } from './crash.ts'
import { consentReturnOf } from './deep-link.ts'
import { createDiagnostics } from './diagnostics.ts'
import { answerPage } from './ipc.ts'
import { setStartsWithSystem, startedBySystem, startsWithSystem } from './login-item.ts'
import { showMenu } from './menus.ts'
import { relaunch, restartProgram } from './quit.ts'
import type { ShellStore } from './shell-state.ts'
import type { Theme } from './theme.ts'
import { liveInTray } from './tray.ts'
import { createMainWindow } from './window.ts'
import type { Words } from './words.ts'

/** Dependencies of the shell. */
export type ShellDeps = {
  readonly backend: Backend
  readonly settings: Settings
  readonly places: ReturnType<typeof bundlePlaces>
  readonly logsDir: string
  readonly store: ShellStore
  readonly words: Words
  readonly theme: Theme
  readonly crash: CrashBox
  readonly quitting: () => boolean
  readonly log: Log
}

/** Opens the desktop's user interface: window, menus and tray; with its window unless the system started the program at login. */
export const openShell = ({ backend, settings, places, logsDir, store, words, theme, crash, quitting, log }: ShellDeps) => {
  const origin = backend.url
  const cookies = openAppSession({ origin, words, log })

  const window = createMainWindow({
    origin,
    consent: backend.consent,
    launchUrl: () => backend.launchUrl('anybody'),
    preload: places.preload,
    packaged: app.isPackaged,
    store,
    words,
    log,
    ground: theme.ground,
    quitting,
    closed: () => life.windowClosed(),
    died: () => crash.pageDied(() => window.show()),
  })
  theme.onChange((shown) => {
    window.paintGround(theme.ground())
    window.send(channels.themeChanged, shown)
  })
  const goTo = (route: string | null | undefined): void => window.show(route ? `${origin}/#${route}` : null)

  const life = liveInTray({ desktop: backend.desktop, cookieHeader: cookies.header, onCookiesChanged: cookies.onChange, openWindow: goTo, hideWindow: window.hide, store, icons: places.icons, words, log })
  const diagnostics = createDiagnostics({
    ...places.diagnostics,
    dataDir: settings.dataDir,
    logsDir,
    version: app.getVersion(),
    words,
    log,
    settings,
    facts: backend.supportFacts,
    dark: () => theme.shown() === 'dark',
  })
  const shellSettings = createShellSettings(store)
  answerPage(
    {
      theme,
      settings: shellSettings.read,
      change: shellSettings.change,
      speak: (language) => {
        words.speak(language)
        store.change({ language })
      },
      openDiagnostics: diagnostics.open,
      restart: restartProgram,
    },
    { contents: window.contents, origin },
    log,
  )
  showMenu(words, { goTo, back: window.back, forward: window.forward, syncTrades: life.syncTrades, openDiagnostics: diagnostics.open, openLogs: () => void system.openPath(logsDir) })
  if (!startedBySystem()) window.show()

  const follow = async (link: string | null): Promise<void> => {
    const back = link === null ? null : consentReturnOf(link, origin)
    // Any web page can open a link, and it must not navigate away from a half-filled form.
    const awaited = back !== null && (await backend.consent.awaits(back.state).catch((error: unknown) => {
      log.error({ error }, 'checking a deep link failed')
      return false
    }))
    window.show(awaited ? back.address : null)
  }

  return {
    /** Handles a deep link, or null to only show the window. A start during shutdown means that the user wants the program back. */
    arrive: (link: string | null): void => (quitting() ? relaunch(link) : void follow(link)),
    /** Shows the window and, if `place` is given, navigates it to that route below the page's `/#`. */
    comeForward: goTo,
    /** Closes everything and saves the window's bounds. */
    stop: (): void => {
      life.stop()
      window.destroy()
    },
  }
}

/** The desktop settings that the page reads and changes. Combines the stored state with the system's login item. */
const createShellSettings = (store: ShellStore) => {
  const read = (): ShellSettings => ({ startsWithSystem: startsWithSystem(), staysInTray: store.read().staysInTray })
  return {
    read,
    /** Applies the given changes and returns all settings. */
    change: ({ startsWithSystem: wanted, staysInTray }: { readonly [K in keyof ShellSettings]?: boolean | undefined }): ShellSettings => {
      if (wanted !== undefined) setStartsWithSystem(wanted)
      if (staysInTray !== undefined) store.change({ staysInTray })
      return read()
    },
  }
}
