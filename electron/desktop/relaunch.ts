import { app } from 'electron'
import { hiddenArgument } from './login-item.ts'

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
