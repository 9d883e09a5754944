import { app } from 'electron'
import { opensAtLogin } from './login-state.ts'

/** The command line switch with which the system starts the program without its window. */
export const hiddenArgument = '--hidden'

const args = [hiddenArgument]
// Only an installed program has a stable path; Electron has no login items on Linux.
const offered = (): boolean => app.isPackaged && (process.platform === 'win32' || process.platform === 'darwin')

/** Whether the program starts at login; null if the system does not support it. */
export const startsWithSystem = (): boolean | null => (offered() ? opensAtLogin(app.getLoginItemSettings({ args }), process.platform) : null)

/** Turns starting at login on or off; does nothing if the system does not support it. */
export const setStartsWithSystem = (wanted: boolean): void => {
  if (offered()) app.setLoginItemSettings({ openAtLogin: wanted, args })
}

/** Whether the system started the program at login, so that no window opens. */
export const startedBySystem = (): boolean => process.argv.includes(hiddenArgument) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
