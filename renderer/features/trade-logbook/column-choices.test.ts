import { expect, test } from 'vitest'
import { boxWidth, columnIds, roomsOf } from './column-choices.ts'

const shown = (...input: Parameters<typeof roomsOf>) => [...roomsOf(...input).keys()]

test('the least needed columns make room, never a price, the side or the tags', () => {
  expect(shown('trades', false, 5_000, {})).toEqual(columnIds.filter((id) => !['setup', 'mae', 'mfe', 'entryEfficiency', 'exitEfficiency'].includes(id)))
  const narrow = shown('trades', true, 768, {})
  expect(narrow).toEqual(expect.arrayContaining(['exitTime', 'symbol', 'qty', 'entryPrice', 'exitPrice', 'netPnl', 'notes', 'account', 'source']))
  const least = ['exitTime', 'symbol', 'side', 'entryPrice', 'exitPrice', 'netPnl', 'notes']
  expect(shown('trades', true, 0, {})).toEqual(least)
  // The list of a window of 720 px.
  expect(shown('trades', true, 612, {})).toEqual(least)
  expect([...roomsOf('trades', true, 612, {}).values()].reduce((sum, room) => sum + room, boxWidth)).toBeLessThanOrEqual(612)
  for (const width of [400, 768, 1_024, 1_180, 1_600]) {
    const rooms = [...roomsOf('pairs', width < 1_100, width, {}).values()].reduce((sum, room) => sum + room, boxWidth)
    expect(rooms <= width || shown('pairs', width < 1_100, width, {}).length === least.length, String(width)).toBe(true)
  }
})

test('a language of longer words has more room for side and quantity and shows as many columns; what a small window leaves is the tags’', () => {
  for (const [isNarrow, width, side, qty] of [[true, 755, 57, 43], [false, 1_172, 78, 66]] as const) {
    const [plain, rooms] = [roomsOf('trades', isNarrow, width, {}), roomsOf('trades', isNarrow, width, {}, true)]
    expect([rooms.get('side'), rooms.get('qty'), rooms.has('account'), rooms.has('source')]).toEqual([side, qty, true, true])
    expect(isNarrow ? [...rooms.keys()] : null).toEqual(isNarrow ? [...plain.keys()] : null)
    expect([...rooms.values()].reduce((sum, one) => sum + one, boxWidth)).toBeLessThanOrEqual(width)
  }
  expect([755, 765, 780, 900].map((width) => roomsOf('trades', true, width, {}).get('notes'))).toEqual([56, 66, 81, 77])
})

test('what the user chose shows at any width, and what the user hid at none', () => {
  expect(shown('trades', false, 1_182, { commission: false })).toEqual(shown('trades', false, 1_182, {}).filter((id) => id !== 'commission'))
  expect(shown('trades', true, 300, { pictures: true, r: true })).toEqual(expect.arrayContaining(['pictures', 'r']))
  expect(shown('pairs', true, 300, { mae: true })).toContain('mae')
  expect(shown('trades', true, 1_024, { setup: true })).toEqual(expect.arrayContaining(['setup', 'entryPrice', 'exitPrice', 'notes']))
  expect(shown('trades', false, 5_000, { commission: false })).not.toContain('commission')
})

test('the spare width of a wide list goes to the accounts until their names fit, and a hidden column gives its width to them', () => {
  const roomOf = (width: number, choices: Parameters<typeof roomsOf>[3] = {}) => roomsOf('trades', false, width, choices, false, 158).get('account')
  const least = roomsOf('trades', false, 0, { account: true }).get('account') ?? 0
  expect(roomOf(1_172)).toBe(least)
  expect(roomOf(1_172, { tradingDay: false })).toBe(158)
  expect(roomOf(5_000)).toBe(158)
  expect([...roomsOf('trades', false, 1_190, {}, false, 158).values()].reduce((sum, room) => sum + room, boxWidth)).toBeLessThanOrEqual(1_190)
})
