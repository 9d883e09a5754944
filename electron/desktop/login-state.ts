import type { LoginItemSettings } from 'electron'

/** Whether the system really starts the program. On Windows its user may have switched that off in the Task Manager, which leaves the entry where it is. */
export const opensAtLogin = ({ openAtLogin, executableWillLaunchAtLogin }: Pick<LoginItemSettings, 'openAtLogin' | 'executableWillLaunchAtLogin'>, platform: NodeJS.Platform): boolean =>
  openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin)
