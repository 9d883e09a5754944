import { app, dialog, shell } from 'electron'
import type { Log } from '#shared/base/log.ts'
import { problemsText, type StartProblem } from '#backend/start-problem.ts'
import { restartProgram } from './quit.ts'
import type { Words } from './words.ts'

/** Shows a crash dialog, and does what the user chooses: restart, show the log, or quit. */
export type CrashBox = ReturnType<typeof createCrashBox>

/** `logsDir` is null while there is no log. */
export const createCrashBox = ({ words, logsDir, log }: { readonly words: Words; readonly logsDir: string | null; readonly log: Log }) => {
  // A second dialog would only cover the first problem.
  let showing = false
  const show = async (message: string, detail: string, restart: () => void): Promise<void> => {
    if (showing) return
    showing = true
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
      showing = false
    }
  }
  const report = (message: string, detail: string, restart: () => void = restartProgram): void => void show(message, detail, restart).catch((error: unknown) => log.error({ error }, 'showing the crash dialog failed'))
  return {
    /** The program could not start: each problem with its remedy. */
    startFailed: (problems: readonly StartProblem[]): void => report(words('crash.start'), problemsText(problems, '').trim()),
    /** A thread of the running program died. */
    backendBroke: (part: string): void => report(words('crash.backend'), words('crash.backendDetail', { part })),
    /** The window's page died; restarting makes a new one and leaves the program running. */
    pageDied: (restart: () => void): void => report(words('crash.page'), words('crash.pageDetail'), restart),
    /** An uncaught error; logs it. */
    mainFailed: (error: unknown): void => {
      log.error({ error }, 'uncaught error')
      report(words('crash.main'), words('crash.mainDetail'))
    },
  }
}
