/** Why the program could not start: what is wrong, what it must be, and what to do. */
export type StartProblem = { readonly name: string; readonly wanted: string; readonly remedy: string }

/** The problems as one block for a terminal, without a stack. */
export const problemsText = (problems: readonly StartProblem[], outcome = 'Fillbook did not start.'): string =>
  [outcome, ...problems.map(({ name, wanted, remedy }) => `\n  ${name}\n    must be ${wanted}\n    ${remedy}`), ''].join('\n')
