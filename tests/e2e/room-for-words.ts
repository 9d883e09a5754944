import { expect, type Page } from '@playwright/test'

/** Where words have no room on the screen of the moment: what is cut off without saying the whole, what runs out of its box, what has to be scrolled sideways though it is no table and the keyboard does not lead there, and buttons that lie over each other. */
export const roomless = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>()
    const describe = (box: Element): string => `${box.tagName.toLowerCase()} ${(box.textContent || box.getAttribute('aria-label') || '').trim().slice(0, 60)} .${box.getAttribute('class') ?? ''}`.slice(0, 200)
    const isHidden = (box: Element, style: CSSStyleDeclaration): boolean => style.clipPath !== 'none' || style.clip !== 'auto' || style.visibility === 'hidden' || box.closest('.sr-only, [inert], [hidden]') !== null
    const ownText = (box: Element): boolean => [...box.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '')
    const floats = (box: Element | null): boolean => box !== null && (['sticky', 'fixed'].includes(getComputedStyle(box).position) || floats(box.parentElement))
    /** Whether the middle of a box lies outside of what scrolls around it, where something else may be seen. */
    const isScrolledAway = (box: Element, { x, y, width, height }: DOMRect): boolean => {
      for (let outer = box.parentElement; outer !== null; outer = outer.parentElement) {
        const clip = outer.getBoundingClientRect()
        const [across, down] = [x + width / 2, y + height / 2]
        if (getComputedStyle(outer).overflowY !== 'visible' && (across < clip.left || across > clip.right || down < clip.top || down > clip.bottom)) return true
      }
      return false
    }
    const saysWhole = (box: Element): boolean => box.closest('[title]') !== null || box.querySelector(':scope > [title]') !== null

    if (document.documentElement.scrollWidth > innerWidth) found.add(`the page is ${String(document.documentElement.scrollWidth)} wide in ${String(innerWidth)}`)
    for (const box of document.querySelectorAll<HTMLElement>('body *:not(svg, svg *, canvas, [role=img] *, input, textarea, select, option, script)')) {
      const style = getComputedStyle(box)
      if (box.clientWidth === 0 || style.display === 'inline' || isHidden(box, style)) continue
      const [wide, tall] = [box.scrollWidth - box.clientWidth > 1, box.scrollHeight - box.clientHeight > 2]
      const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll'
      const cuts = style.overflowX === 'hidden' || style.overflowX === 'clip'
      if (wide && scrolls && box.querySelector('table, [role=grid], [role=treegrid]') === null && !box.matches('pre, [tabindex="0"]')) found.add(`sideways: ${describe(box)}`)
      if (!ownText(box) && !box.matches('th, td')) continue
      if (wide && cuts && !(style.textOverflow === 'ellipsis' && saysWhole(box))) found.add(`cut: ${describe(box)}`)
      if (wide && !cuts && !scrolls && ownText(box)) found.add(`runs out: ${describe(box)}`)
      if (tall && ownText(box) && (style.overflowY === 'hidden' || style.overflowY === 'clip') && !saysWhole(box)) found.add(`cut below: ${describe(box)}`)
    }

    const pressable = [...document.querySelectorAll('button, a[href], [role=tab], [role=radio]')].filter((box) => box.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isHidden(box, getComputedStyle(box)))
    for (const box of pressable) {
      // A link in a line of text may break over two.
      const [one = new DOMRect()] = box.getClientRects()
      if (isScrolledAway(box, one)) continue
      const at = document.elementFromPoint(one.x + one.width / 2, one.y + one.height / 2)
      const over = at?.closest('button, a[href], [role=tab], [role=radio]')
      // Under a bar that stays while the rest scrolls, everything comes once.
      if (over && over !== box && !over.contains(box) && !box.contains(over) && (!floats(over) || floats(box))) found.add(`under another: ${describe(box)} under ${describe(over)}`)
    }
    return [...found]
  })

/** What finds no room once the page has taken on its window's new size, which it does a moment later. */
export const roomlessForGood = async (page: Page): Promise<readonly string[]> => {
  let faults: readonly string[] = []
  await expect.poll(async () => (faults = await roomless(page)).length, { timeout: 3_000 }).toBe(0).catch(() => undefined)
  return faults
}

/** Names of an account's limits that are cut, or run out of their bar, whatever their title says. */
export const cutLimits = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role=meter]')].flatMap((meter) => {
      const words = meter.previousElementSibling
      const boxes = words === null ? [] : [words, ...words.querySelectorAll(':scope > *, :scope > * > :not(svg, .sr-only)')]
      return boxes.some((box) => box.scrollWidth > box.clientWidth && getComputedStyle(box).display !== 'inline') ? [`cut: ${meter.getAttribute('aria-label') ?? ''}`] : []
    }),
  )
