import { powerSaveBlocker } from 'electron'

/** Blocks automatic sleep between a call with true and one with false; the screen may still turn off. */
export const createKeepAwake = (): ((on: boolean) => void) => {
  let blocking: number | null = null
  return (on) => {
    if (on === (blocking !== null)) return
    if (blocking === null) blocking = powerSaveBlocker.start('prevent-app-suspension')
    else {
      powerSaveBlocker.stop(blocking)
      blocking = null
    }
  }
}
