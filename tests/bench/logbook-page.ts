import { setTimeout as after } from 'node:timers/promises'
import type { Page, Request } from '@playwright/test'
import { eventsPath } from '#shared/api/sync.ts'

type Watching = { readonly firstRows: Promise<number>; readonly watchRows: () => Promise<number> }

const logbookPath = '/dashboard/TradeLogbook'

/** Makes every page that is loaded from now on watch for the logbook's first rows, which are fill pairs: of them there are the most. */
export const watchFirstRows = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    localStorage.setItem('fillbook-unit', JSON.stringify({ state: { unit: 'pairs' }, version: 0 }))
    const shown = (): boolean => (document.querySelector('tr[data-line="0"] td:nth-child(2)')?.textContent ?? '') !== ''
    const watchRows = (): Promise<number> =>
      new Promise((resolve) => {
        const changes = new MutationObserver(() => {
          if (!shown()) return
          changes.disconnect()
          // A frame is drawn after its callbacks, and a message comes behind it.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => { resolve(performance.now()) }
            port2.postMessage(null)
          })
        })
        changes.observe(document, { subtree: true, childList: true, characterData: true })
      })
    Object.assign(window, { watchRows, firstRows: watchRows() })
  })

const [quietMs, patienceMs] = [500, 30_000]

/** Opens a page by `go`, and waits until it has requested nothing for half a second: only its stream of events stays open. */
export const untilQuiet = async (page: Page, go: () => Promise<unknown>): Promise<void> => {
  const underWay = new Set<Request>()
  let quietSince = performance.now()
  const begun = (request: Request): void => {
    if (new URL(request.url()).pathname !== eventsPath) underWay.add(request)
  }
  const ended = (request: Request): void => {
    if (underWay.delete(request)) quietSince = performance.now()
  }
  page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended)
  await go()
  const until = performance.now() + patienceMs
  while (underWay.size > 0 || performance.now() - quietSince < quietMs) {
    if (performance.now() > until) throw new Error(`The page still requests ${[...underWay].map((request) => request.url()).join(', ')}`)
    await after(50)
  }
  page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended)
}

/** Milliseconds from the call of the logbook's address, in a page that had nothing, to the frame that showed its first rows. */
export const callLogbook = async (page: Page, origin: string): Promise<number> => {
  await page.goto('about:blank')
  await page.goto(`${origin}/#${logbookPath}`)
  return page.evaluate(() => (window as unknown as Watching).firstRows)
}

/** Milliseconds from a click in the sidebar of another screen to the frame that showed the logbook's first rows, in a page that had not shown them before. */
export const clickLogbook = async (page: Page, origin: string): Promise<number> => {
  await page.goto('about:blank')
  await untilQuiet(page, async () => {
    await page.goto(`${origin}/#/dashboard/Import`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  return page.evaluate(async (path) => {
    const from = performance.now()
    const seen = (window as unknown as Watching).watchRows()
    document.querySelector<HTMLElement>(`nav a[href$="${path}"]`)?.click()
    return (await seen) - from
  }, logbookPath)
}

/** Scrolls the open logbook from its first line to its last, `stride` pixels a frame, and gives the number of frames; the rows of the last frame are there at the end. */
export const scrollLogbook = (page: Page, stride: number): Promise<number> =>
  page.evaluate(async (step) => {
    const scroller = document.querySelector('table[role="grid"]')?.parentElement
    if (scroller === null || scroller === undefined) throw new Error('The logbook does not show')
    const frame = (): Promise<number> => new Promise((resolve) => { requestAnimationFrame(resolve) })
    const last = scroller.scrollHeight - scroller.clientHeight
    let frames = 0
    for (let top = 0; top < last; top += step, frames += 1) {
      await frame()
      scroller.scrollTop = top + step
    }
    const whole = (): boolean => (document.querySelector('tr[data-line]:last-of-type td:nth-child(2)')?.textContent ?? '') !== ''
    while (!whole()) await frame()
    return frames
  }, stride)
