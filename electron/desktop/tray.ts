import { join } from 'node:path'
import { Menu, nativeTheme, Tray } from 'electron'
import type { Backend } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { noticeOfAlert, noticeOfCopierAlert } from './alert-notice.ts'
import { showNotice } from './notices.ts'
import type { Told } from './sync-notice.ts'
import { trayIcon } from './tray-icon.ts'
import { trayMenu, trayTip, type TrayState } from './tray-menu.ts'
import { createTrayCopier } from './tray-copier.ts'
import { createTraySync } from './tray-sync.ts'
import { watchTray } from './tray-watch.ts'
import type { Words } from './words.ts'

/** What the tray works with. */
export type TrayParts = {
  readonly backend: Pick<Backend, 'desk'>
  /** The `Cookie` header of the app's window, whether it is open or not. */
  readonly cookieHeader: () => Promise<string>
  readonly onCookiesChanged: (hear: () => void) => void
  /** Brings the window forward, and to a place below the page's `/#` where one is given. */
  readonly openWindow: (place?: string) => void
  readonly quit: () => void
  readonly words: Words
  /** The folder of the tray's pictures. */
  readonly icons: string
  readonly log: Log
}

/** The tray: it works with the window closed. */
export type RunningTray = {
  /** Sync Trades for the signed-in user, with a notification at the end. */
  readonly syncTrades: () => void
  readonly stop: () => void
}

/** Shows the tray. Throws where the system gives none. */
export const startTray = ({ backend: { desk }, cookieHeader, onCookiesChanged, openWindow, quit, words, icons, log }: TrayParts): RunningTray => {
  const picture = (): string => join(icons, trayIcon(process.platform, nativeTheme))
  const tray = new Tray(picture())
  let state: TrayState = null
  let standing = ''
  let stopped = false

  // On Linux a menu can't be made when it is opened, so each change makes one; but not where nobody would see it.
  const show = (): void => {
    const template = trayMenu(state, words, { syncTrades, pauseCopier: () => void copier.pause(), resumeCopier: () => void copier.resume(), openWindow: () => openWindow(), quit })
    const next = JSON.stringify([template, trayTip(state, words)])
    if (next === standing) return
    standing = next
    tray.setContextMenu(Menu.buildFromTemplate(template))
    tray.setToolTip(trayTip(state, words))
  }
  const tell = ({ title, body, place }: Told): void => {
    // A run that the end of the program cut short is no news.
    if (!stopped) showNotice({ title, body, onClick: () => (place === null ? openWindow() : openWindow(place)) })
  }
  const syncTrades = (): void => void sync()
  const failed = (error: unknown): void => log.debug({ error }, 'The tray could not look')

  show()
  const watch = watchTray({
    desk,
    cookieHeader,
    onCookiesChanged,
    changed: (next) => {
      state = next
      show()
    },
    alerted: (userId, alert) => {
      void desk.wantsNotices(userId).then((wants) => (wants ? tell(noticeOfAlert(alert, words)) : undefined), failed)
    },
    // Open positions are at risk: shown whatever the rule alert settings.
    copierAlerted: (alert) => tell(noticeOfCopierAlert(alert, words)),
    failed,
  })
  const sync = createTraySync({ desk, watch, openWindow, tell, words, log })
  const copier = createTrayCopier({ desk, watch, openWindow, tell, words, log })
  const stopWords = words.onChange(show)
  const repaint = (): void => tray.setImage(picture())
  nativeTheme.on('updated', repaint)
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', () => openWindow())

  return {
    syncTrades,
    stop: () => {
      if (stopped) return
      stopped = true
      watch.stop()
      stopWords()
      nativeTheme.off('updated', repaint)
      tray.destroy()
    },
  }
}
