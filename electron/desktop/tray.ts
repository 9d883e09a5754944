import { join } from 'node:path'
import { Menu, nativeTheme, Tray } from 'electron'
import type { Backend } from '#backend/host.ts'
import type { Log } from '#shared/base/log.ts'
import { noticeOfAlert, noticeOfCopierAlert } from './alert-notice.ts'
import { showNotice } from './notices.ts'
import type { Notice } from './sync-notice.ts'
import { trayIcon } from './tray-icon.ts'
import { trayMenu, trayTip, type TrayState } from './tray-menu.ts'
import { createTrayCopier } from './tray-copier.ts'
import { createTraySync } from './tray-sync.ts'
import { watchTray } from './tray-watch.ts'
import type { Words } from './words.ts'

/** Dependencies of the tray. */
export type TrayParts = {
  readonly backend: Pick<Backend, 'desk'>
  /** The window's `Cookie` header; works with the window closed. */
  readonly cookieHeader: () => Promise<string>
  readonly onCookiesChanged: (hear: () => void) => void
  /** Shows the window and, if given, navigates it to a route below the page's `/#`. */
  readonly openWindow: (place?: string) => void
  readonly quit: () => void
  readonly words: Words
  /** The folder of the tray icons. */
  readonly icons: string
  readonly log: Log
}

/** The tray: it works with the window closed. */
export type RunningTray = ReturnType<typeof startTray>

/** Shows the tray. Throws if the system has none. */
export const startTray = ({ backend: { desk }, cookieHeader, onCookiesChanged, openWindow, quit, words, icons, log }: TrayParts) => {
  const picture = (): string => join(icons, trayIcon(process.platform, nativeTheme))
  const tray = new Tray(picture())
  let state: TrayState = null
  let shown = ''
  let stopped = false

  // Linux cannot build a menu on opening, so every change builds one; an invisible change does not.
  const show = (): void => {
    const template = trayMenu(state, words, { syncTrades, pauseCopier: () => void copier.pause(), resumeCopier: () => void copier.resume(), openWindow: () => openWindow(), quit })
    const next = JSON.stringify([template, trayTip(state, words)])
    if (next === shown) return
    shown = next
    tray.setContextMenu(Menu.buildFromTemplate(template))
    tray.setToolTip(trayTip(state, words))
  }
  const notify = ({ title, body, place }: Notice): void => {
    // Do not report a run that the shutdown interrupted.
    if (!stopped) showNotice({ title, body, onClick: () => (place === null ? openWindow() : openWindow(place)) })
  }
  const syncTrades = (): void => void sync()
  const failed = (error: unknown): void => log.debug({ error }, 'tray refresh failed')

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
      void desk.wantsNotices(userId).then((wants) => (wants ? notify(noticeOfAlert(alert, words)) : undefined), failed)
    },
    // Open positions are at risk: shown whatever the rule alert settings.
    copierAlerted: (alert) => notify(noticeOfCopierAlert(alert, words)),
    failed,
  })
  const sync = createTraySync({ desk, watch, openWindow, notify, words, log })
  const copier = createTrayCopier({ desk, watch, openWindow, notify, words, log })
  const stopWords = words.onChange(show)
  const repaint = (): void => tray.setImage(picture())
  nativeTheme.on('updated', repaint)
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', () => openWindow())

  return {
    /** Sync Trades for the signed-in user, with a notification at the end. */
    syncTrades,
    stop: (): void => {
      if (stopped) return
      stopped = true
      watch.stop()
      stopWords()
      nativeTheme.off('updated', repaint)
      tray.destroy()
    },
  }
}
