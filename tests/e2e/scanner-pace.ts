import type { Page } from '@playwright/test'

/** What a page did while it was watched. */
export type Pace = { readonly seconds: number; /** Frames before which something in the table had changed. */ readonly paints: number; /** The longest tasks of the main thread, in ms; tasks shorter than 50 ms are left out. */ readonly longTasks: readonly number[] }

/** Begins to count the frames in which the scanner's table changes, and the long tasks; `end` returns them. */
export const watchPace = async (page: Page): Promise<{ readonly end: () => Promise<Pace> }> => {
  await page.evaluate(() => {
    const longTasks: number[] = []
    let [paints, waiting] = [0, false]
    const tasks = new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration)) })
    tasks.observe({ type: 'longtask' })
    const changes = new MutationObserver(() => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => {
        waiting = false
        paints += 1
      })
    })
    const main = document.querySelector('main')
    if (main === null) throw new Error('The page shows')
    changes.observe(main, { subtree: true, childList: true, characterData: true, attributes: true })
    const from = performance.now()
    const end = (): unknown => {
      tasks.disconnect()
      changes.disconnect()
      return { seconds: (performance.now() - from) / 1_000, paints, longTasks: longTasks.sort((one, other) => other - one) }
    }
    Object.assign(window, { endPace: end })
  })
  return { end: () => page.evaluate(() => (window as unknown as { endPace: () => Pace }).endPace()) }
}
