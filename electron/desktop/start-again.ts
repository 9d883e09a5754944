import { app } from 'electron'
import { hiddenArgument } from './login-item.ts'

/** Lets the program start again, with its window and at `link` where there is one, as soon as this one is gone. */
export const startAgain = (link: string | null): void => {
  const own = process.argv.slice(1).filter((word) => word !== hiddenArgument && !word.includes('://'))
  // What a link brings along is never taken for a switch.
  const args = link === null ? own : [...own, '--', link]
  // An AppImage runs from a place that is gone with it.
  const image = process.env['APPIMAGE']
  app.relaunch(image === undefined ? { args } : { args, execPath: image })
}

/** Ends the program as every quit does, and starts it again. */
export const restartProgram = (): void => {
  startAgain(null)
  app.quit()
}
