import { app, powerMonitor } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { hiddenArgument } from './login-item.ts'

const longestStopMs = 15_000

/** The part of Electron's `app` that quitting needs. */
type Quittable = {
  readonly on: (event: 'before-quit', listener: (event: { readonly preventDefault: () => void }) => void) => unknown
  readonly quit: () => void
  readonly exit: (code: number) => void
}

/**
 * Delays quitting until `stop` has finished, so that no write is lost; after 15 s the program exits anyway. Returns a
 * function that says whether the program is quitting.
 */
export const delayQuit = (program: Quittable, stop: () => Promise<void>, log: Log, longestMs = longestStopMs): (() => boolean) => {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  program.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    const timeout = setTimeout(() => {
      log.error({}, 'shutdown timed out')
      program.exit(1)
    }, longestMs)
    void stop()
      .catch((error: unknown) => log.error({ error }, 'shutdown failed'))
      .then(() => {
        clearTimeout(timeout)
        state = 'stopped'
        program.quit()
      })
  })
  return () => state !== 'running'
}

/** Quits when the computer shuts down or the user logs off; stopping early gives the backend the most time. */
export const quitWithSystem = (): void => {
  const quit = (): void => app.quit()
  powerMonitor.on('shutdown', quit)
  // Windows sends the end of the session only to windows.
  app.on('browser-window-created', (_event, window) => window.on('session-end', quit))
}

/** Relaunches the program, with its window and with `link` if given, once this process has exited. */
export const relaunch = (link: string | null): void => {
  const own = process.argv.slice(1).filter((word) => word !== hiddenArgument && !word.includes('://'))
  // `--` keeps parts of the link from being read as switches.
  const args = link === null ? own : [...own, '--', link]
  // An AppImage runs from a mount that disappears when it exits.
  const image = process.env['APPIMAGE']
  app.relaunch(image === undefined ? { args } : { args, execPath: image })
}

/** Quits normally and starts the program again. */
export const restartProgram = (): void => {
  relaunch(null)
  app.quit()
}
