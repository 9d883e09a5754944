import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Says of each test that was not run by what name it goes, and why; Playwright's own list says only that. */
export default class NotRunReporter implements Reporter {
  readonly #told: string[] = []
  onTestEnd(test: TestCase, { status, annotations }: TestResult): void {
    if (status !== 'skipped') return
    const why = annotations.find(({ type }) => type === 'skip')?.description ?? 'not run'
    this.#told.push(`${why}: ${test.titlePath().filter((part) => part !== '').join(' › ')}`)
  }
  onEnd(): void {
    if (this.#told.length > 0) console.log(`\n${this.#told.join('\n')}`)
  }
  printsToStdio(): boolean {
    return true
  }
}
