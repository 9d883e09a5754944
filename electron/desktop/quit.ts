import type { Log } from '#shared/base/log.ts'

const longestStopMs = 15_000

/** The part of Electron's `app` that quitting needs. */
export type Quittable = {
  readonly on: (event: 'before-quit', hear: (event: { readonly preventDefault: () => void }) => void) => unknown
  readonly quit: () => void
  readonly exit: (code: number) => void
}

/**
 * Delays quitting until `stop` has finished, so that no write is lost; after 15 s the program exits anyway. Returns a
 * function that says whether the program is quitting.
 */
export const delayQuit = (app: Quittable, stop: () => Promise<void>, log: Log, longestMs = longestStopMs): (() => boolean) => {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    const timeout = setTimeout(() => {
      log.error({}, 'shutdown timed out')
      app.exit(1)
    }, longestMs)
    void stop()
      .catch((error: unknown) => log.error({ error }, 'shutdown failed'))
      .then(() => {
        clearTimeout(timeout)
        state = 'stopped'
        app.quit()
      })
  })
  return () => state !== 'running'
}
