import { createApp, type AppParts } from './http/app.ts'
import { createLaunchTokens, type LaunchTokens } from './http/launch.ts'
import type { listen } from './http/listen.ts'

/** Puts the program's web server on a port; `stop` ends every stream and waits for the calls that run. */
export const startAnswering = (server: Awaited<ReturnType<typeof listen>>, parts: Omit<AppParts, 'launchTokens' | 'port' | 'stopped'>): { readonly launchTokens: LaunchTokens; readonly stop: () => Promise<void> } => {
  const launchTokens = createLaunchTokens()
  const stopping = new AbortController()
  server.answer(createApp({ ...parts, launchTokens, port: () => server.port, stopped: stopping.signal }))
  return {
    launchTokens,
    stop: () => {
      stopping.abort()
      // Before all else: a call that is under way still finds its journal.
      return server.stop()
    },
  }
}
