import { expect, test } from 'vitest'
import { saw, wrote, type Naming } from './named-trade.ts'

const none: Naming = { seen: null, written: [] }

test('a trade that is named from elsewhere is asked for once; what this page names itself never is', () => {
  const typed = saw(none, 'a')
  expect(typed.asked).toBe('a')
  expect(saw(typed.naming, 'a').asked).toBeNull()
  expect(saw(wrote(none, 'b'), 'b')).toEqual({ naming: { seen: 'b', written: [] }, asked: null, left: false })
})

test('a trade typed over an open one is asked for, and closing it leaves nothing to open', () => {
  const open = saw(wrote(none, 'a'), 'a').naming
  const typed = saw(open, 'b')
  expect(typed.asked).toBe('b')
  const closed = saw(wrote(wrote(typed.naming, 'b'), null), null)
  expect(closed).toEqual({ naming: none, asked: null, left: false })
})

test('names that this page writes fast may show late, or never, and ask for nothing', () => {
  const walked = wrote(wrote(wrote(none, 'a'), 'b'), 'c')
  const late = saw(walked, 'b')
  expect([late.asked, saw(late.naming, 'c')]).toEqual([null, { naming: { seen: 'c', written: [] }, asked: null, left: false }])
  expect(saw(wrote(wrote(saw(wrote(none, 'a'), 'a').naming, null), 'b'), null).asked).toBeNull()
})

test('a trade that somebody else takes from the address is left; one that this page takes away is not', () => {
  const open = saw(wrote(none, 'a'), 'a').naming
  expect(saw(open, null)).toEqual({ naming: none, asked: null, left: true })
  expect(saw(wrote(open, null), null).left).toBe(false)
  expect(saw(none, null).left).toBe(false)
})
