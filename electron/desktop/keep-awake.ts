import { powerSaveBlocker } from 'electron'

/** Keeps the computer from falling asleep by itself, its screen may go dark, from one call with true to the next with false. */
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
