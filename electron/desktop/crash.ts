import { app, dialog, shell } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { sayProblems, type StartProblem } from '#backend/start-problem.ts'
import { restartProgram } from './start-again.ts'
import type { Words } from './words.ts'

/** Says what broke, and does what the user chooses: begin again, look at the log, or quit. */
export type CrashBox = {
  /** The program could not start: each problem with its remedy. */
  readonly startFailed: (problems: readonly StartProblem[]) => void
  /** A thread of the running program died. */
  readonly backendBroke: (part: string) => void
  /** The window's page died; restarting makes a new one and leaves the program running. */
  readonly pageDied: (restart: () => void) => void
  /** An error that nobody caught; it is logged. */
  readonly mainFailed: (error: unknown) => void
}

/** Makes the box; `logsDir` is where the log is, null where there is none yet. */
export const createCrashBox = ({ words, logsDir, log }: { readonly words: Words; readonly logsDir: string | null; readonly log: Log }): CrashBox => {
  // A second box over the first would only hide what came first.
  let saying = false
  const say = async (message: string, detail: string, restart: () => void): Promise<void> => {
    if (saying) return
    saying = true
    try {
      const choices = [{ label: words('crash.restart'), then: restart }, ...(logsDir === null ? [] : [{ label: words('crash.showLog'), then: null }]), { label: words('crash.quit'), then: () => app.quit() }]
      for (;;) {
        const { response } = await dialog.showMessageBox({ type: 'error', title: words('crash.title'), message, detail, buttons: choices.map(({ label }) => label), defaultId: 0, cancelId: choices.length - 1, noLink: true })
        const chosen = choices[response]
        if (chosen?.then) return chosen.then()
        if (logsDir === null) return
        await shell.openPath(logsDir)
      }
    } finally {
      saying = false
    }
  }
  const tell = (message: string, detail: string, restart: () => void = restartProgram): void => void say(message, detail, restart).catch((error: unknown) => log.error({ error }, 'What broke could not be said'))
  return {
    startFailed: (problems) => tell(words('crash.start'), sayProblems(problems, '').trim()),
    backendBroke: (part) => tell(words('crash.backend'), words('crash.backendDetail', { part })),
    pageDied: (restart) => tell(words('crash.page'), words('crash.pageDetail'), restart),
    mainFailed: (error) => {
      log.error({ error }, 'An error that nobody caught')
      tell(words('crash.main'), words('crash.mainDetail'))
    },
  }
}
