import { expect, test } from 'vitest'
import { initialPlace, smallestOn } from './window.ts'

const laptop = { x: 0, y: 25, width: 1512, height: 920 }
const right = { x: 1512, y: 0, width: 2560, height: 1400 }
const place = (x: number, y: number, width = 1200, height = 800, maximised = false) => ({ x, y, width, height, maximised })

test('the first window is in the middle, and no larger than its display', () => {
  expect(initialPlace([laptop], null)).toEqual({ width: 1440, height: 900, maximised: false })
  expect(initialPlace([{ ...laptop, width: 1280, height: 700 }], null)).toEqual({ width: 1280, height: 700, maximised: false })
})

test('remembered bounds are used on a display that still exists', () => {
  expect(initialPlace([laptop], place(100, 80))).toEqual(place(100, 80))
  expect(initialPlace([laptop, right], place(1700, 300, 2000, 1000, true))).toEqual(place(1700, 300, 2000, 1000, true))
})

test('a window across two displays or half outside stays if its title bar can be dragged', () => {
  expect(initialPlace([laptop, right], place(1100, 100))).toEqual(place(1100, 100))
  expect(initialPlace([laptop], place(1300, 100))).toEqual(place(1300, 100))
})

test('if its display is gone, the window is centered on the main one and shrunk to fit', () => {
  expect(initialPlace([laptop], place(1700, 300, 2000, 1000, true))).toEqual({ width: 1512, height: 920, maximised: true })
})

test.each([
  ['above the display', place(100, -300), place(100, 25)],
  ['under the menu bar', place(100, 0), place(100, 25)],
  ['only a sliver at the left', place(-1150, 100), place(0, 100)],
  ['only a sliver at the right', place(1500, 100), place(312, 100)],
  ['only its title bar below', place(100, 930), place(100, 145)],
])('%s: it is moved to where its title bar can be taken', (_where, remembered, expected) => {
  expect(initialPlace([laptop], remembered)).toEqual(expected)
})

test('after a higher scale factor the window shrinks to the display', () => {
  const scaled = { x: 0, y: 0, width: 1024, height: 576 }
  expect(initialPlace([scaled], place(200, 40, 1600, 900))).toEqual(place(200, 40, 1024, 576))
})

test('a size that is too small becomes the page’s minimum', () => {
  expect(initialPlace([laptop], place(10, 30, 120, 80))).toEqual(place(10, 30, 1024, 600))
})

test('the minimum size is never larger than the smallest display', () => {
  expect(smallestOn([laptop, right])).toEqual({ width: 1024, height: 600 })
  expect(smallestOn([laptop, { x: 0, y: 0, width: 853, height: 480 }])).toEqual({ width: 853, height: 480 })
})
