import type { Log } from '#shared/base/log.ts'

const longestStopMs = 15_000

/** What is needed of Electron's `app`. */
export type Quittable = {
  readonly on: (event: 'before-quit', hear: (event: { readonly preventDefault: () => void }) => void) => unknown
  readonly quit: () => void
  readonly exit: (code: number) => void
}

/**
 * Holds every quit of the program until `stop` is through, so that what is being written is finished; after 15 s it is
 * cut off. Gives back whether it is quitting.
 */
export const holdQuit = (app: Quittable, stop: () => Promise<void>, log: Log, longestMs = longestStopMs): (() => boolean) => {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    const patience = setTimeout(() => {
      log.error({}, 'The program did not stop in time and was cut off')
      app.exit(1)
    }, longestMs)
    void stop()
      .catch((error: unknown) => log.error({ error }, 'The program did not stop cleanly'))
      .then(() => {
        clearTimeout(patience)
        state = 'stopped'
        app.quit()
      })
  })
  return () => state !== 'running'
}
