import type { Page } from '@playwright/test'

/** What of the page as a whole has to be scrolled sideways: its root, its main part, and what scrolls within that. */
export const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, document.body, ...document.querySelectorAll('main, main > *, main > * > *')]
      .filter((box) => box.scrollWidth - box.clientWidth > 1 && (box === document.documentElement || box === document.body || box.matches('main') || ['auto', 'scroll'].includes(getComputedStyle(box).overflowX)))
      .map((box) => `scrolls sideways: ${box.tagName.toLowerCase()} .${box.getAttribute('class') ?? ''} is ${String(box.scrollWidth)} wide in ${String(box.clientWidth)}`),
  )

/** Pairs of controls that lie over each other where both can be seen; a bar that stays while the rest scrolls covers what it must. */
export const overlapping = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = 'button, a[href], input, select, textarea, summary, [role=tab], [role=radio], [role=switch], [role=checkbox], [role=combobox], [role=slider]'
    type Seen = { readonly box: Element; readonly layer: Element | null; readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
    const describe = (box: Element): string => `${box.tagName.toLowerCase()} ${(box.getAttribute('aria-label') ?? (box.textContent || box.id)).trim().slice(0, 60)}`
    /** What carries a control over the rest of the page: each such layer may cover another. */
    const layerOf = (box: Element | null): Element | null => (box === null || ['sticky', 'fixed'].includes(getComputedStyle(box).position) ? box : layerOf(box.parentElement))
    const seen = [...document.querySelectorAll(controls)].flatMap((box): Seen[] => {
      const style = getComputedStyle(box)
      // The hidden twin of a drawn control, and what only a reader finds, take no room.
      if (!box.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || style.clipPath !== 'none' || style.pointerEvents === 'none' || box.closest('[inert], [aria-hidden=true]') !== null) return []
      return [...box.getClientRects()].flatMap((rect): Seen[] => {
        let { left, top, right, bottom } = rect
        for (let outer = box.parentElement; outer !== null; outer = outer.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(outer)
          const clip = outer.getBoundingClientRect()
          if (overflowX !== 'visible') [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)]
          if (overflowY !== 'visible') [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)]
        }
        return right - left > 1 && bottom - top > 1 ? [{ box, layer: layerOf(box), left, top, right, bottom }] : []
      })
    })
    /** A button inside a field, such as the one that shows a password. */
    const holds = (field: Seen, button: Seen): boolean => field.box.matches('input') && button.box.matches('button') && field.left <= button.left && field.right >= button.right && field.top <= button.top && field.bottom >= button.bottom
    const found = new Set<string>()
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        const [wide, tall] = [Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)]
        if (wide > 1 && tall > 1 && one.layer === other.layer && !one.box.contains(other.box) && !other.box.contains(one.box) && !holds(one, other) && !holds(other, one)) found.add(`over each other: ${describe(one.box)} and ${describe(other.box)}, by ${String(Math.round(wide))} × ${String(Math.round(tall))}`)
      }
    }
    return [...found]
  })
