import type { WindowPlace } from './shell-state.ts'

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A new window's bounds: without `x` and `y` it is centered on the first display. */
export type InitialPlace = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number; readonly maximised: boolean }

/** The page's minimum size, in device-independent pixels. */
export const smallestWindow = { width: 1024, height: 600 } as const

const firstSize = { width: 1440, height: 900 }
// How much of the title bar must be visible to drag the window.
const grip = { width: 160, height: 32 }

/** The minimum window size on these displays, which may be smaller than the page's minimum. */
export const smallestOn = (displays: readonly Area[]): { readonly width: number; readonly height: number } => ({
  width: Math.min(smallestWindow.width, ...displays.map(({ width }) => width)),
  height: Math.min(smallestWindow.height, ...displays.map(({ height }) => height)),
})

/**
 * The window's initial bounds on the current displays, the main one first, each given by its work area. Remembered
 * bounds are used as far as they fit a display: never out of reach and never larger than it.
 */
export const initialPlace = (displays: readonly [Area, ...Area[]], remembered: WindowPlace | null): InitialPlace => {
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

/** The display that shows most of the window; null if the window is off screen. */
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
