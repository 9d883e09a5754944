/** The name of the only main-process function that the Diagnostics window may fetch. */
export const diagnosticsGlobal = 'fillbookDiagnostics'

/** The questions that the Diagnostics window may ask. None takes an argument. */
export const diagnosticsQuestions = ['opening', 'figures', 'log', 'open-folder', 'copy-versions', 'save-bundle', 'close'] as const

/** A question that the window may ask. */
export type DiagnosticsQuestion = (typeof diagnosticsQuestions)[number]

/** One process of the program: memory in bytes, CPU as a percentage of one core since the previous figures. */
export type ProcessFigures = { readonly pid: number; readonly name: string; readonly memory: number; readonly cpu: number }

/** A line of a list: name and value. */
export type NamedValue = { readonly name: string; readonly value: string }

/** The page's texts. */
export const diagnosticsTexts = [
  'title', 'versions', 'processes', 'process', 'processId', 'memory', 'cpu', 'total', 'paths', 'log', 'logNote', 'logEmpty', 'openFolder', 'copyVersions', 'saveBundle', 'bundleNote',
  'folderOpened', 'folderFailed', 'versionsCopied', 'bundleSaving', 'bundleSaved', 'bundleFailed',
] as const

/** The answer to each question. */
export type DiagnosticsAnswers = {
  readonly opening: {
    /** The texts' language as Intl knows it. */
    readonly language: string
    readonly texts: Readonly<Record<(typeof diagnosticsTexts)[number], string>>
    readonly versions: readonly NamedValue[]
    readonly paths: readonly NamedValue[]
  }
  /** Largest first. */
  readonly figures: readonly ProcessFigures[]
  /** The last lines of the log, oldest first. */
  readonly log: readonly string[]
  readonly 'open-folder': 'opened' | 'failed'
  readonly 'copy-versions': 'copied'
  readonly 'save-bundle': 'saved' | 'cancelled' | 'failed'
  /** The window closes after the answer. */
  readonly close: 'closing'
}

/** What the preload offers to the Diagnostics page as `window.fillbookDiagnostics`. */
export type DiagnosticsBridge = {
  /** Null if the desktop could not answer. */
  ask<Question extends DiagnosticsQuestion>(question: Question): Promise<DiagnosticsAnswers[Question] | null>
}

/** The only main-process function: `tell` receives the answer once, as JSON. It returns nothing, so the window cannot reach into the main process. */
export type AskDiagnostics = (question: DiagnosticsQuestion, tell: (json: string) => void) => void
