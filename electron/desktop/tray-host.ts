import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const question = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher']
const longestMs = 1_000

/** Whether the system shows tray icons. Only a Linux desktop may not; true if it cannot be determined. */
export const showsTray = async (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<boolean> => {
  // Without a session bus, the query would start one.
  if (platform !== 'linux' || !env['DBUS_SESSION_BUS_ADDRESS']) return true
  return run('gdbus', question, { timeout: longestMs, env }).then(({ stdout }) => !stdout.includes('false'), () => true)
}
