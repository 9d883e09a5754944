import { app } from 'electron'
import { opensAtLogin } from './login-state.ts'

/** The word of the command line by which the system starts the program without its window. */
export const hiddenArgument = '--hidden'

const args = [hiddenArgument]
// What is not installed has no place that stays the same; Linux has no way of its own.
const offered = (): boolean => app.isPackaged && (process.platform === 'win32' || process.platform === 'darwin')

/** Whether the program starts with the system; null where the system offers no way. */
export const startsWithSystem = (): boolean | null => (offered() ? opensAtLogin(app.getLoginItemSettings({ args }), process.platform) : null)

/** Starts the program with the system from now on, or no longer; does nothing where the system offers no way. */
export const setStartsWithSystem = (wanted: boolean): void => {
  if (offered()) app.setLoginItemSettings({ openAtLogin: wanted, args })
}

/** Whether this start was the system's, which wants no window. */
export const startedBySystem = (): boolean => process.argv.includes(hiddenArgument) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
