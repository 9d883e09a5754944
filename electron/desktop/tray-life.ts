import { app } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { showNotice } from './notices.ts'
import type { ShellStore } from './shell-state.ts'
import { startTray, type RunningTray, type TrayParts } from './tray.ts'
import { showsTray } from './tray-host.ts'
import type { Words } from './words.ts'

/** Dependencies of the tray and of closing to it. */
export type TrayLifeParts = TrayParts & { readonly store: ShellStore; readonly hideWindow: () => void; readonly log: Log; readonly words: Words }

/** The tray, and whether the program lives on in it. */
export const liveInTray = (parts: TrayLifeParts) => {
  const { store, words, log } = parts
  const tray = trayOrNone(parts, log)

  const windowClosed = async (): Promise<void> => {
    if (tray === null || !store.read().staysInTray || !(await showsTray(process.platform, process.env))) return app.quit()
    parts.hideWindow()
    if (store.read().toldAboutTray) return
    store.change({ toldAboutTray: true })
    showNotice({ title: words('notice.staysInTray'), body: words('notice.staysInTrayDetail'), onClick: () => parts.openWindow() })
  }

  return {
    /** Sync Trades, as from the tray's menu. */
    syncTrades: (): void => tray?.syncTrades(),
    /** The user closed the window: hides it if the program stays in the tray (with a one-time notice), otherwise quits. */
    windowClosed: (): void => void windowClosed(),
    stop: (): void => tray?.stop(),
  }
}

const trayOrNone = (parts: TrayParts, log: Log): RunningTray | null => {
  try {
    return startTray(parts)
  } catch (error) {
    log.warn({ error }, 'showing the tray failed')
    return null
  }
}
