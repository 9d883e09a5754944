import { expect, test } from 'vitest'
import english from './locales/en.json' with { type: 'json' }
import malayalam from './locales/ml-IND.json' with { type: 'json' }
import { createWords, systemLanguage } from './words.ts'

const leaves = (tree: object, before = ''): [string, string][] => Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [[`${before}${key}`, value] as [string, string]] : leaves(value as object, `${before}${key}.`)))
const valuesIn = (sentence: string): string[] => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()

test('both languages have the same keys with the same placeholders', () => {
  const translated = new Map(leaves(malayalam))
  expect([...translated.keys()].sort()).toEqual(leaves(english).map(([key]) => key).sort())
  for (const [key, sentence] of leaves(english)) expect([key, valuesIn(translated.get(key) ?? '')]).toEqual([key, valuesIn(sentence)])
})

test('the program has one name, wherever it is named', () => {
  const named = leaves(english).filter(([, sentence]) => sentence.includes('Fillbook')).map(([key]) => key)
  const translated = new Map(leaves(malayalam))
  expect(named.filter((key) => translated.get(key)?.includes('Fillbook') !== true)).toEqual([])
})

test('a placeholder is replaced by its value unescaped', () => {
  const words = createWords('en')
  expect(words('window.elsewhere', { host: 'a<b>.example' })).toBe('a<b>.example · Fillbook')
  expect(words.tag()).toBe('en')
})

test('the language changes at once with one event, and an unknown one changes nothing', () => {
  const words = createWords('en')
  let notified = 0
  const stop = words.onChange(() => void (notified += 1))
  words.speak('ml-IND')
  words.speak('ml-IND')
  words.speak('xx')
  expect([words('menu.quit'), words.tag(), notified]).toEqual([malayalam.menu.quit, 'ml-IN', 1])
  stop()
  words.speak('en')
  expect([words('menu.quit'), notified]).toEqual([english.menu.quit, 1])
})

test('an unknown language falls back to English', () => {
  expect(createWords('zz')('menu.quit')).toBe(english.menu.quit)
})

test('the first supported language of the system is used', () => {
  expect(systemLanguage(['de-DE', 'ml', 'en-US'])).toBe('ml-IND')
  expect(systemLanguage(['en-IN', 'ml-IN'])).toBe('en')
  expect(systemLanguage(['de-DE'])).toBe('en')
  expect(systemLanguage([])).toBe('en')
})
