import type { WindowPlace } from './shell-state.ts'

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Where a window begins: without `x` and `y` in the middle of the first display. */
export type Beginning = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number; readonly maximised: boolean }

/** The narrowest that the page is made for, in the display's own units. */
export const smallestWindow = { width: 1024, height: 600 } as const

const firstSize = { width: 1440, height: 900 }
// What has to show of the title bar, so that a hand can take it.
const grip = { width: 160, height: 32 }

/** The smallest size that these displays allow: a display may be smaller than what the page is made for. */
export const smallestOn = (displays: readonly Area[]): { readonly width: number; readonly height: number } => ({
  width: Math.min(smallestWindow.width, ...displays.map(({ width }) => width)),
  height: Math.min(smallestWindow.height, ...displays.map(({ height }) => height)),
})

/**
 * Where the window begins on the displays of now, the first of which is the main one; each is given by the area that
 * windows may use. What is remembered holds as far as a display still has it: never out of reach, never larger than it.
 */
export const beginningOn = (displays: readonly [Area, ...Area[]], remembered: WindowPlace | null): Beginning => {
  const display = remembered === null ? null : mostCovered(displays, remembered)
  if (remembered === null || display === null) {
    return { ...fitted(remembered ?? firstSize, displays[0]), maximised: remembered?.maximised ?? false }
  }
  const size = fitted(remembered, display)
  const reachable = displays.some((area) => holdsGrip(area, { ...remembered, ...size }))
  const corner = reachable ? { x: remembered.x, y: remembered.y } : { x: within(remembered.x, size.width, display.x, display.width), y: within(remembered.y, size.height, display.y, display.height) }
  return { ...corner, ...size, maximised: remembered.maximised }
}

const overlap = (one: number, length: number, other: number, otherLength: number): number => Math.max(0, Math.min(one + length, other + otherLength) - Math.max(one, other))

/** The display that shows the most of the window; null where none shows any of it. */
const mostCovered = (displays: readonly Area[], window: Area): Area | null => {
  const covered = (area: Area): number => overlap(window.x, window.width, area.x, area.width) * overlap(window.y, window.height, area.y, area.height)
  const best = displays.reduce<Area | null>((most, area) => (most === null || covered(area) > covered(most) ? area : most), null)
  return best === null || covered(best) === 0 ? null : best
}

const fitted = ({ width, height }: { readonly width: number; readonly height: number }, area: Area): { width: number; height: number } => ({
  width: Math.min(Math.max(width, smallestWindow.width), area.width),
  height: Math.min(Math.max(height, smallestWindow.height), area.height),
})

const holdsGrip = (area: Area, window: Area): boolean =>
  window.y >= area.y && window.y + grip.height <= area.y + area.height && overlap(window.x, window.width, area.x, area.width) >= grip.width

const within = (start: number, length: number, areaStart: number, areaLength: number): number => Math.max(areaStart, Math.min(start, areaStart + areaLength - length))
