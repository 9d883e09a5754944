// @module-tag slow
import { expect, test } from 'vitest'
import { setupOf } from './columns.tsx'

test('the setup of a trade is what its tag says after setup:, however that is written', () => {
  expect(setupOf(['news', 'Setup: Opening drive', 'setup:other'])).toBe('Opening drive')
  expect(setupOf(['setup:fade'])).toBe('fade')
  expect([setupOf(['my setup: fade', 'news']), setupOf([])]).toEqual([null, null])
})
