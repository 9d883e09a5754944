// @module-tag slow
import { expect, test } from 'vitest'
import { zonesFor } from './zone-choice.tsx'

test('the likely zones come first, each zone once', () => {
  const zones = zonesFor('', ['Europe/Berlin', 'Europe/Berlin', 'UTC'])
  expect(zones.slice(0, 2)).toEqual(['Europe/Berlin', 'UTC'])
  expect(zones.length).toBeGreaterThan(300)
  expect(new Set(zones).size).toBe(zones.length)
})

test('a zone is found by any part of its name, as people type it', () => {
  expect(zonesFor('new york', [])).toEqual(['America/New_York'])
  expect(zonesFor('america/new_y', [])).toEqual(['America/New_York'])
  expect(zonesFor('CHICAGO', ['America/Chicago'])).toEqual(['America/Chicago'])
  expect(zonesFor('nowhere', ['UTC'])).toEqual([])
})
