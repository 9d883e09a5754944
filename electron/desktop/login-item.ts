import { app, type LoginItemSettings } from 'electron'

/** The command line switch with which the system starts the program without its window. */
export const hiddenArgument = '--hidden'

const args = [hiddenArgument]
// Only an installed program has a stable path; Electron has no login items on Linux.
const offered = (): boolean => app.isPackaged && (process.platform === 'win32' || process.platform === 'darwin')

/** Whether the program starts at login; null if the system does not support it. */
export const startsWithSystem = (): boolean | null => (offered() ? opensAtLogin(app.getLoginItemSettings({ args }), process.platform) : null)

/** Whether the system really starts the program at login. On Windows, the Task Manager can disable the entry without removing it. */
export const opensAtLogin = ({ openAtLogin, executableWillLaunchAtLogin }: Pick<LoginItemSettings, 'openAtLogin' | 'executableWillLaunchAtLogin'>, platform: NodeJS.Platform): boolean =>
  openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin)

/** Turns starting at login on or off; does nothing if the system does not support it. */
export const setStartsWithSystem = (wanted: boolean): void => {
  if (offered()) app.setLoginItemSettings({ openAtLogin: wanted, args })
}

/** Whether the system started the program at login, so that no window opens. */
export const startedBySystem = (): boolean => process.argv.includes(hiddenArgument) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
