import { basename, join } from 'node:path'
import { app, type Session } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { isDownloadAllowed, isPermissionAllowed } from './permission-rules.ts'

/** Denies the window's session every permission and download that the app at `origin` does not need. */
export const hardenSession = (session: Session, { origin, log }: { readonly origin: string; readonly log: Log }): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    const granted = isPermissionAllowed(permission, requestingUrl, origin)
    if (!granted) log.warn({ permission }, 'a permission was denied')
    answer(granted)
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => isPermissionAllowed(permission, requestingOrigin, origin))
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item, contents) => {
    // Despite Electron's types there may be no page: a download can outlive it.
    const asking = (contents as Electron.WebContents | undefined)?.mainFrame.url
    if (!isDownloadAllowed(item.getURLChain(), asking, origin)) {
      event.preventDefault()
      log.warn({}, 'A download was refused')
      return
    }
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), basename(item.getFilename())) })
  })
}

/** Forbids webviews and new windows in every page of the program. */
export const hardenPages = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}
