import { expect, test } from 'vitest'
import { beginningOn, smallestOn } from './window-place.ts'

const laptop = { x: 0, y: 25, width: 1512, height: 920 }
const right = { x: 1512, y: 0, width: 2560, height: 1400 }
const place = (x: number, y: number, width = 1200, height = 800, maximised = false) => ({ x, y, width, height, maximised })

test('the first window is in the middle, and no larger than its display', () => {
  expect(beginningOn([laptop], null)).toEqual({ width: 1440, height: 900, maximised: false })
  expect(beginningOn([{ ...laptop, width: 1280, height: 700 }], null)).toEqual({ width: 1280, height: 700, maximised: false })
})

test('what was remembered holds on a display that is still there', () => {
  expect(beginningOn([laptop], place(100, 80))).toEqual(place(100, 80))
  expect(beginningOn([laptop, right], place(1700, 300, 2000, 1000, true))).toEqual(place(1700, 300, 2000, 1000, true))
})

test('a window over two displays, or half outside, stays where it can be taken', () => {
  expect(beginningOn([laptop, right], place(1100, 100))).toEqual(place(1100, 100))
  expect(beginningOn([laptop], place(1300, 100))).toEqual(place(1300, 100))
})

test('a display that is gone gives the middle of the main one, with the size as far as it fits', () => {
  expect(beginningOn([laptop], place(1700, 300, 2000, 1000, true))).toEqual({ width: 1512, height: 920, maximised: true })
})

test.each([
  ['above the display', place(100, -300), place(100, 25)],
  ['under the menu bar', place(100, 0), place(100, 25)],
  ['only a sliver at the left', place(-1150, 100), place(0, 100)],
  ['only a sliver at the right', place(1500, 100), place(312, 100)],
  ['only its title bar below', place(100, 930), place(100, 145)],
])('%s: it is moved to where its title bar can be taken', (_where, remembered, expected) => {
  expect(beginningOn([laptop], remembered)).toEqual(expected)
})

test('a scale that was raised leaves less room: the window shrinks to it', () => {
  const scaled = { x: 0, y: 0, width: 1024, height: 576 }
  expect(beginningOn([scaled], place(200, 40, 1600, 900))).toEqual(place(200, 40, 1024, 576))
})

test('a size that is too small becomes the smallest that the page is made for', () => {
  expect(beginningOn([laptop], place(10, 30, 120, 80))).toEqual(place(10, 30, 1024, 600))
})

test('the smallest size is never larger than the smallest display', () => {
  expect(smallestOn([laptop, right])).toEqual({ width: 1024, height: 600 })
  expect(smallestOn([laptop, { x: 0, y: 0, width: 853, height: 480 }])).toEqual({ width: 853, height: 480 })
})
