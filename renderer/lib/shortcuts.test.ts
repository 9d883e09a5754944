import { expect, test } from 'vitest'
import { ariaKeysOf, capsOf, chordOf, isSingle, meaningOf, shortcuts, type Pressed, type ShortcutId } from './shortcuts.ts'

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({ key, code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false, ...more })
const ids = Object.keys(shortcuts) as ShortcutId[]

test('no shortcut is another one, nor its beginning', () => {
  for (const one of ids) for (const other of ids) if (one !== other) expect(`${shortcuts[other]} `.startsWith(`${shortcuts[one]} `), `${one} ${other}`).toBe(false)
})

test('only Shift and F flattens', () => {
  const key = press('F', { shiftKey: true })
  const means = (pressed: Pressed) => meaningOf(chordOf(pressed, false) ?? '', null)
  expect(means(key)).toBe('flatten-all')
  expect(means({ ...key, key: 'മ' })).toBe('flatten-all')
  expect(means({ ...key, key: 'U' })).toBe(null)
  for (const more of [{ shiftKey: false }, { ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }, { isComposing: true }]) expect(means({ ...key, ...more })).toBe(null)
})

test('the palette opens by Cmd on a Mac and by Ctrl elsewhere', () => {
  expect(chordOf(press('k', { ctrlKey: true }), false)).toBe('Mod+K')
  expect(chordOf(press('k', { metaKey: true }), true)).toBe('Mod+K')
  expect(chordOf(press('k', { metaKey: true }), false)).toBe(null)
  expect(chordOf(press('k', { ctrlKey: true }), true)).toBe(null)
  expect(chordOf(press('л', { code: 'KeyK', ctrlKey: true }), false)).toBe('Mod+K')
})

test('a sign that is written with Shift is that sign on every keyboard', () => {
  expect(chordOf(press('?', { shiftKey: true, code: 'Slash' }), false)).toBe('?')
  expect(chordOf(press('/', { shiftKey: true, code: 'Digit7' }), false)).toBe('/')
  expect(chordOf(press('S', { shiftKey: true }), false)).toBe('Shift+S')
})

test('a letter after G leads to a page, and means nothing else there', () => {
  expect(meaningOf('G', null)).toBe('begins')
  expect(meaningOf('S', 'G')).toBe('go-settings')
  expect(meaningOf('S', null)).toBe('sync')
  expect(meaningOf('N', 'G')).toBe(null)
})

test('keys are named as on the keyboard, and as a screen reader needs them', () => {
  expect(capsOf('Mod+K', true)).toEqual(['⌘', 'K'])
  expect(capsOf('Mod+K', false)).toEqual(['Ctrl', 'K'])
  expect(capsOf('G O', false)).toEqual(['G', 'O'])
  expect(ariaKeysOf('palette', true)).toBe('Meta+K')
  expect(ariaKeysOf('flatten-all', false)).toBe('Shift+F')
  expect(ariaKeysOf('go-overview', false)).toBe(undefined)
})

test('what is made of characters alone can be switched off', () => {
  expect(ids.filter((id) => !isSingle(id))).toEqual(['palette'])
})
