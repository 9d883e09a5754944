import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const question = ['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher']
const longestMs = 1_000

/** Whether the system shows tray icons. Of the three only a Linux desktop may not; where nobody can say, it does. */
export const showsTray = async (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<boolean> => {
  // Without a bus, asking would start one.
  if (platform !== 'linux' || !env['DBUS_SESSION_BUS_ADDRESS']) return true
  return run('gdbus', question, { timeout: longestMs, env }).then(({ stdout }) => !stdout.includes('false'), () => true)
}
