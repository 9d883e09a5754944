/** What a test wants evaluated in the main process. */
export type AskedInMain = { readonly id: number; readonly source: string; readonly argument: unknown }
/** What came of it. */
export type FromMain = { readonly id: number; readonly value?: unknown; readonly error?: string } | { readonly browser: string }

/** Evaluates what tests send to this process, with Electron's module, as Playwright does in the real one. */
export const answerTests = (electron: object): void => {
  process.on('message', ({ id, source, argument }: AskedInMain) => {
    void (async () => {
      try {
        const asked = (0, eval)(`(${source})`) as (electron: object, argument: unknown) => unknown
        process.send?.({ id, value: await asked(electron, argument) })
      } catch (error) {
        process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      }
    })()
  })
}
