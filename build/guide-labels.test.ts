import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const textsIn = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn))
const shown = new Set(globSync(['renderer/i18n/locales/en/*.json', 'electron/desktop/locales/en.json'], { cwd: root }).flatMap((path) => textsIn(JSON.parse(readFileSync(root + path, 'utf8')))))

test.each(globSync('docs/guide/*.md', { cwd: root }))('every label that %s quotes is on a screen', (path) => {
  const labels = [...readFileSync(root + path, 'utf8').replaceAll('**', '').matchAll(/\*([^*\n]+)\*/g)].map(([, label = '']) => label)
  expect(labels.length, 'labels are in italics').toBeGreaterThan(0)
  expect(labels.filter((label) => !shown.has(label)), 'quote the labels of renderer/i18n/locales/en to the letter').toEqual([])
})
