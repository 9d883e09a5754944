import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Prints the name of each test that was not run, and why; Playwright's own list only has the reason. */
export default class NotRunReporter implements Reporter {
  readonly #notRun: string[] = []
  onTestEnd(test: TestCase, { status, annotations }: TestResult): void {
    if (status !== 'skipped') return
    const why = annotations.find(({ type }) => type === 'skip')?.description ?? 'not run'
    this.#notRun.push(`${why}: ${test.titlePath().filter((part) => part !== '').join(' › ')}`)
  }
  onEnd(): void {
    if (this.#notRun.length > 0) console.log(`\n${this.#notRun.join('\n')}`)
  }
  printsToStdio(): boolean {
    return true
  }
}
