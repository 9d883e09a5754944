import { expect, test } from 'vitest'
import { readAddress, noteWritten, type Naming } from './named-trade.ts'

const none: Naming = { seen: null, written: [] }

test('a trade named by a link is opened once; one that this page names itself never is', () => {
  const typed = readAddress(none, 'a')
  expect(typed.asked).toBe('a')
  expect(readAddress(typed.naming, 'a').asked).toBeNull()
  expect(readAddress(noteWritten(none, 'b'), 'b')).toEqual({ naming: { seen: 'b', written: [] }, asked: null, left: false })
})

test('a trade typed over an open one is asked for, and closing it leaves nothing to open', () => {
  const open = readAddress(noteWritten(none, 'a'), 'a').naming
  const typed = readAddress(open, 'b')
  expect(typed.asked).toBe('b')
  const closed = readAddress(noteWritten(noteWritten(typed.naming, 'b'), null), null)
  expect(closed).toEqual({ naming: none, asked: null, left: false })
})

test('names that this page writes fast may show late, or never, and ask for nothing', () => {
  const walked = noteWritten(noteWritten(noteWritten(none, 'a'), 'b'), 'c')
  const late = readAddress(walked, 'b')
  expect([late.asked, readAddress(late.naming, 'c')]).toEqual([null, { naming: { seen: 'c', written: [] }, asked: null, left: false }])
  expect(readAddress(noteWritten(noteWritten(readAddress(noteWritten(none, 'a'), 'a').naming, null), 'b'), null).asked).toBeNull()
})

test('a trade removed from the address by the user is closed; one that this page removes is not', () => {
  const open = readAddress(noteWritten(none, 'a'), 'a').naming
  expect(readAddress(open, null)).toEqual({ naming: none, asked: null, left: true })
  expect(readAddress(noteWritten(open, null), null).left).toBe(false)
  expect(readAddress(none, null).left).toBe(false)
})
