import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortNames } from './short-names.ts'

const forms = (most: number, ...names: readonly string[]): readonly (string | undefined)[] => {
  const short = shortNames(names, most)
  return names.map((name) => short.get(name))
}

test('a short name stays whole, and a long one keeps its beginning and its end', () => {
  expect(forms(9, 'DEMO4920', 'APEX-48213-TRADER-07', 'APEX-48213-TRADER-08')).toEqual(['DEMO4920', 'APEX…R-07', 'APEX…R-08'])
})

test('names that begin and end alike keep what tells them apart', () => {
  expect(forms(9, 'APEX-48213-001-EVAL50', 'APEX-48213-002-EVAL50')).toEqual(['…213-001…', '…213-002…'])
  expect(forms(9, 'APEX-EVAL-000007', 'TOPSTEP-EVAL-000007')).toEqual(['APEX…0007', 'TOPS…0007'])
})

test('a letter and its marks stay together', () => {
  expect(forms(6, 'പുതിയ അക്കൗണ്ട് 1234')).toEqual(['പുതി…234'])
})

test('two different names never look alike, and none looks like another name', () => {
  // Few letters, the sign of a gap among them, so that names are alike.
  const name = fc.string({ unit: fc.constantFrom('A', 'B', '0', '…'), minLength: 1, maxLength: 24 })
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30, size: 'max' }), fc.integer({ min: 4, max: 14 }), (names, most) => {
      const short = shortNames(names, most)
      expect(new Set(short.values()).size).toBe(names.length)
      for (const one of names) {
        const form = short.get(one) ?? ''
        expect(form === one || !names.includes(form)).toBe(true)
        expect(form === one || form.length <= most).toBe(true)
      }
    }),
  )
})
