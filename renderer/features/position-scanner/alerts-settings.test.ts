// @module-tag slow
import { expect, test } from 'vitest'
import { readLevels } from './alerts-settings.tsx'

test('levels are read however they are parted, each once and rising', () => {
  expect(readLevels('95, 50 80%')).toEqual([50, 80, 95])
  expect(readLevels('80;80,80')).toEqual([80])
  expect(readLevels('  ')).toEqual([])
})
test('a value that is no share, and a sixth one, are refused', () => {
  for (const typed of ['0', '101', '-5', '50.5', 'fifty', '10 20 30 40 50 60']) expect(readLevels(typed), typed).toBeNull()
})
