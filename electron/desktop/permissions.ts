import { basename, join } from 'node:path'
import { app, type Session } from 'electron'
import type { Log } from '#shared/base/log.ts'

/** Denies the window's session every permission and download that the app at `origin` does not need. */
export const hardenSession = (session: Session, { origin, log }: { readonly origin: string; readonly log: Log }): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    const granted = isPermissionAllowed(permission, requestingUrl, origin)
    if (!granted) log.warn({ permission }, 'permission was denied')
    answer(granted)
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => isPermissionAllowed(permission, requestingOrigin, origin))
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item, contents) => {
    // Despite Electron's types there may be no page: a download can outlive it.
    const asking = (contents as Electron.WebContents | undefined)?.mainFrame.url
    if (!isDownloadAllowed(item.getURLChain(), asking, origin)) {
      event.preventDefault()
      log.warn({}, 'download was refused')
      return
    }
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), basename(item.getFilename())) })
  })
}

/** Whether a permission is granted: the app's own page may write to the clipboard, to copy a recovery code. Everything else is denied. */
export const isPermissionAllowed = (permission: string, asking: string | undefined, origin: string): boolean => permission === 'clipboard-sanitized-write' && isOf(asking, origin)

/** Whether a download is allowed: only from the app, requested by its own page, over all redirects. */
export const isDownloadAllowed = (chain: readonly string[], asking: string | undefined, origin: string): boolean => isOf(asking, origin) && chain.length > 0 && chain.every((address) => isOf(address, origin))

// A blob URL has the origin of the page that created it.
const isOf = (address: string | undefined, origin: string): boolean => URL.parse(address ?? '')?.origin === origin

/** Forbids webviews and new windows in every page of the program. */
export const hardenPages = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}
