import type { EventEmitter } from 'node:events'
import { z } from 'zod'
import { diagnosticsGlobal, diagnosticsQuestions, type AskDiagnostics, type DiagnosticsAnswers, type DiagnosticsQuestion } from '#shared/bridge/diagnostics-bridge.ts'

/** The events by which `@electron/remote` lets an app allow or deny access. */
const decisions = ['remote-require', 'remote-get-builtin', 'remote-get-global', 'remote-get-current-window', 'remote-get-current-web-contents'] as const

/** Setting `returnValue` returns that value to the page; preventing the default denies access. */
type RemoteEvent = { returnValue: unknown; defaultPrevented: boolean }

/** Answers to the Diagnostics window's questions. */
export type DiagnosticsCalls = { readonly [Question in DiagnosticsQuestion]: () => Promise<DiagnosticsAnswers[Question]> }

/**
 * Restricts `@electron/remote` to a single function, `ask`, for a single window; reports every other access through
 * `refused`. `app` is Electron's; `isDiagnostics` says whether a page is that window's.
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
 * The function that the window may call. A remote function of the main process would expose its constructor, and
 * through it everything else: this one has no prototype, is frozen, and returns nothing.
 */
export const createAsk = (calls: DiagnosticsCalls, failed: (error: unknown) => void): AskDiagnostics => {
  const ask = (name: unknown, callback: unknown): void => {
    const about = question.safeParse(name)
    const respond = listener.safeParse(callback)
    if (!about.success || !respond.success) return
    void calls[about.data]()
      .catch((error: unknown) => {
        failed(error)
        return null
      })
      .then((answer) => { respond.data(JSON.stringify(answer)) })
      // The window may close before its answer arrives.
      .catch(failed)
  }
  return Object.freeze(Object.setPrototypeOf(ask, null) as typeof ask)
}
