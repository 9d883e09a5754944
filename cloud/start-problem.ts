/** Why the service could not start: what is wrong, what it must be, and what to do. */
export type StartProblem = { readonly name: string; readonly wanted: string; readonly remedy: string }

/** An error for something outside that prevents the service from starting. */
export class StartFault extends Error {
  readonly problem: StartProblem
  constructor(problem: StartProblem, options?: ErrorOptions) {
    super(problem.wanted, options)
    this.problem = problem
  }
}

/** The problems as one block for a terminal, without a stack. */
export const problemsText = (problems: readonly StartProblem[]): string =>
  ['Fillbook Cloud did not start.', ...problems.map(({ name, wanted, remedy }) => `\n  ${name}\n    must be ${wanted}\n    ${remedy}`), ''].join('\n')
