import type { EventEmitter } from 'node:events'
import { z } from 'zod'
import { diagnosticsGlobal, diagnosticsQuestions, type AskDiagnostics, type DiagnosticsAnswers, type DiagnosticsQuestion } from '#shared/bridge/diagnostics-bridge.ts'

/** What `@electron/remote` lets an app decide before it hands something out. */
const decisions = ['remote-require', 'remote-get-builtin', 'remote-get-global', 'remote-get-current-window', 'remote-get-current-web-contents'] as const

/** The event of such a decision: a value set here is handed out, and nothing is where it is prevented. */
type RemoteEvent = { returnValue: unknown; defaultPrevented: boolean }

/** How each question is answered. */
export type DiagnosticsDesk = { readonly [Question in DiagnosticsQuestion]: () => Promise<DiagnosticsAnswers[Question]> }

/**
 * Lets `@electron/remote` hand out one thing to one window, the function `ask`, and nothing else to anybody. `app` is
 * Electron's, `contents` tells whether a page is that window's; refusals are reported.
 */
export const guardRemote = (app: EventEmitter, { isDiagnostics, ask, refused }: { readonly isDiagnostics: (contents: unknown) => boolean; readonly ask: AskDiagnostics; readonly refused: (decision: string, name: string) => void }): void => {
  for (const decision of decisions) {
    app.on(decision, (event: RemoteEvent, contents: unknown, name: unknown) => {
      if (decision === 'remote-get-global' && name === diagnosticsGlobal && isDiagnostics(contents)) {
        event.returnValue = ask
        return
      }
      event.defaultPrevented = true
      refused(decision, typeof name === 'string' ? name.slice(0, 80) : '')
    })
  }
}

const question = z.enum(diagnosticsQuestions)
const listener = z.custom<(json: string) => void>((given) => typeof given === 'function')

/**
 * The function that the window may call. From a function of the main process, code could climb to its
 * constructor, and from there do everything: this one has no prototype, cannot be changed and returns nothing.
 */
export const askOf = (desk: DiagnosticsDesk, failed: (error: unknown) => void): AskDiagnostics => {
  const ask = (asked: unknown, heard: unknown): void => {
    const about = question.safeParse(asked)
    const tell = listener.safeParse(heard)
    if (!about.success || !tell.success) return
    void desk[about.data]()
      .catch((error: unknown) => {
        failed(error)
        return null
      })
      .then((answer) => { tell.data(JSON.stringify(answer)) })
      // The window may be gone before its answer comes.
      .catch(failed)
  }
  return Object.freeze(Object.setPrototypeOf(ask, null) as typeof ask)
}
