import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './app-test.ts'

/** Windows as they are where the smallest and the usual one are magnified to 200 %. */
const magnified = [{ width: 720, height: 450 }, { width: 640, height: 400 }]
const usual = { width: 1440, height: 900 }

/** What of the screen is cut off, or has to be scrolled sideways though it is no table. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const isHidden = (style: CSSStyleDeclaration): boolean => style.clipPath !== 'none' || style.clip !== 'auto' || style.visibility === 'hidden'
    // What is inert is only to be looked at.
    for (const box of document.querySelectorAll<HTMLElement>('html, body, body *:not(svg *):not([role=img] *):not([inert] *):not(:has(> [inert]))')) {
      const style = getComputedStyle(box)
      if (box.clientWidth === 0 || isHidden(style) || style.textOverflow === 'ellipsis' || box.matches('input, textarea, svg')) continue
      const [wide, tall] = [box.scrollWidth - box.clientWidth > 1, box.scrollHeight - box.clientHeight > 1]
      const cuts = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'
      const words = `${box.tagName.toLowerCase()}.${box.className} ${String(box.scrollWidth)}×${String(box.scrollHeight)} in ${String(box.clientWidth)}×${String(box.clientHeight)}`
      // A bar that can be scrolled with keys and pointer, and shows that it goes on, cuts nothing off.
      if ((wide && cuts(style.overflowX) && style.overflowY !== 'auto') || (tall && cuts(style.overflowY))) found.push(`cut off: ${words}`)
      else if (wide && (box === document.documentElement || (style.overflowX !== 'visible' && !cuts(style.overflowX) && box.querySelector('table, [role=grid]') === null && !box.matches('pre')))) found.push(`sideways: ${words}`)
    }
    return found
  })

/** What is drawn without a name, or without a table that says the same: one that it names, or one that can take its place. */
const drawnOnly = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isDescribed = (box: Element): boolean => {
      const switches = [...(box.closest('section')?.querySelectorAll('[role=radio]') ?? [])]
      const table = document.getElementById(box.getAttribute('aria-details') ?? '')?.querySelector('tbody tr')
      return (box.getAttribute('aria-label') ?? '').length > 20 && ((table ?? null) !== null || switches.some(({ textContent }) => textContent === 'Table'))
    }
    return [...document.querySelectorAll('[role=img]:has(svg, canvas)')].filter((box) => !isDescribed(box)).map((box) => box.outerHTML.slice(0, 200))
  })

/** Holds what shows, a screen or a dialog, or what a selector finds of it, to WCAG 2.2 AA in both themes; every chart of it has a name and a table behind it, and nothing moves where less motion is preferred. */
export const expectForEverybody = async (page: Page, within?: string): Promise<void> => {
  // Under the pointer things look otherwise.
  await page.mouse.move(0, 0)
  await expectAccessible(page, within)
  expect(await drawnOnly(page), page.url()).toEqual([])
  await expect.poll(() => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length), page.url()).toBe(0)
}

/** The same, and magnified to 200 % nothing is cut off, and only tables are scrolled sideways. */
export const expectMagnified = async (page: Page): Promise<void> => {
  for (const size of magnified) {
    await page.setViewportSize(size)
    await expect.poll(() => outOfReach(page), `${String(size.width)} ${page.url()}`).toEqual([])
  }
  await page.setViewportSize(usual)
}
