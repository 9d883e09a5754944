import { app } from 'electron'
import { appId } from './app-id.ts'
import { scheme, argumentsBeforeLink } from './deep-link.ts'

/** Registers the program's id and its link scheme with the system. */
export const registerProgram = (): void => {
  if (process.platform === 'win32') app.setAppUserModelId(appId)
  // If not installed, the system needs program and folder.
  app.setAsDefaultProtocolClient(scheme, process.execPath, argumentsBeforeLink(app.isPackaged ? null : app.getAppPath()))
}
