import { basename, join } from 'node:path'
import { app, type Session } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { mayDownload, mayHave } from './permission-rules.ts'

/** Closes the session of the app's window to everything that the app at `origin` does not need. */
export const hardenSession = (session: Session, { origin, log }: { readonly origin: string; readonly log: Log }): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    const granted = mayHave(permission, requestingUrl, origin)
    if (!granted) log.warn({ permission }, 'A permission was denied')
    answer(granted)
  })
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => mayHave(permission, requestingOrigin, origin))
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item, contents) => {
    // The runtime's types say that there is always a page; a download may outlive it.
    const asking = (contents as Electron.WebContents | undefined)?.mainFrame.url
    if (!mayDownload(item.getURLChain(), asking, origin)) {
      event.preventDefault()
      log.warn({}, 'A download was refused')
      return
    }
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), basename(item.getFilename())) })
  })
}

/** For every page of the program: no embedded pages, and no unapproved windows. */
export const hardenPages = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}
