import type { Settings } from './settings.ts'

/** What a front door supplies to the program behind it. */
export type Host = {
  readonly settings: Settings
  readonly paths: {
    /** The built page. */
    readonly pages: string
    readonly migrations: string
  }
  readonly version: string
  /** UTC ms. */
  readonly now: () => number
  /** Told that a thread of the running program died: nothing it did can be done any more, and the program should end. */
  readonly broken: (part: 'journal' | 'sync') => void
}

/** Why the program could not start: what is wrong, what it must be, and what to do. */
export type StartProblem = { readonly name: string; readonly wanted: string; readonly remedy: string }

/** The problems as one block for a terminal, without a stack. */
export const sayProblems = (problems: readonly StartProblem[]): string =>
  ['Fillbook did not start.', ...problems.map(({ name, wanted, remedy }) => `\n  ${name}\n    must be ${wanted}\n    ${remedy}`), ''].join('\n')
