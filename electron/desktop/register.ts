import { app } from 'electron'
import { appId } from './app-id.ts'
import { scheme, wordsBeforeLink } from './deep-link.ts'

/** Tells the system which program this is, and that its links are this one's. */
export const registerProgram = (): void => {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // If not installed, the system needs program and folder.
  app.setAsDefaultProtocolClient(scheme, process.execPath, wordsBeforeLink(app.isPackaged ? null : app.getAppPath()))
}
