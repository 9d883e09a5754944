import type { LoginItemSettings } from 'electron'

/** Whether the system really starts the program at login. On Windows, the Task Manager can disable the entry without removing it. */
export const opensAtLogin = ({ openAtLogin, executableWillLaunchAtLogin }: Pick<LoginItemSettings, 'openAtLogin' | 'executableWillLaunchAtLogin'>, platform: NodeJS.Platform): boolean =>
  openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin)
