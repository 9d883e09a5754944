/** The name of the one function of the main process that the Diagnostics window may fetch. */
export const diagnosticsGlobal = 'fillbookDiagnostics'

/** What that window may ask. None of it takes an argument. */
export const diagnosticsQuestions = ['opening', 'figures', 'log', 'open-folder', 'copy-versions', 'save-bundle', 'close'] as const

/** What the window may ask. */
export type DiagnosticsQuestion = (typeof diagnosticsQuestions)[number]

/** One process of the program: memory in bytes, CPU as a share of one core in percent since the figures before. */
export type ProcessFigures = { readonly pid: number; readonly name: string; readonly memory: number; readonly cpu: number }

/** A line of a list: what it is called, and what it says. */
export type NamedValue = { readonly name: string; readonly value: string }

/** The sentences of the page. */
export const diagnosticsTexts = [
  'title', 'versions', 'processes', 'process', 'processId', 'memory', 'cpu', 'total', 'paths', 'log', 'logNote', 'logEmpty', 'openFolder', 'copyVersions', 'saveBundle', 'bundleNote',
  'folderOpened', 'folderFailed', 'versionsCopied', 'bundleSaving', 'bundleSaved', 'bundleFailed',
] as const

/** What each question is answered with. */
export type DiagnosticsAnswers = {
  readonly opening: {
    /** The language of the texts as Intl knows it. */
    readonly language: string
    readonly texts: Readonly<Record<(typeof diagnosticsTexts)[number], string>>
    readonly versions: readonly NamedValue[]
    readonly paths: readonly NamedValue[]
  }
  /** The largest first. */
  readonly figures: readonly ProcessFigures[]
  /** The last lines of the log, oldest first. */
  readonly log: readonly string[]
  readonly 'open-folder': 'opened' | 'failed'
  readonly 'copy-versions': 'copied'
  readonly 'save-bundle': 'saved' | 'cancelled' | 'failed'
  /** The window goes behind the answer. */
  readonly close: 'closing'
}

/** What the preload offers to the Diagnostics page as `window.fillbookDiagnostics`. */
export type DiagnosticsBridge = {
  /** Null where the desktop could not answer. */
  ask<Question extends DiagnosticsQuestion>(question: Question): Promise<DiagnosticsAnswers[Question] | null>
}

/** The one function of the main process: `tell` hears the answer once, as JSON. It returns nothing, so that nothing of the main process is reached through it. */
export type AskDiagnostics = (question: DiagnosticsQuestion, tell: (json: string) => void) => void
