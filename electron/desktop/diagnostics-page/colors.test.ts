import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const colors = (css: string): Record<string, string> => Object.fromEntries([...css.matchAll(/(--[a-z-]+): (#[0-9a-f]+);/g)].map(([, name = '', hex = '']) => [name, hex]))
const cut = (css: string, at: string): readonly [string, string] => [css.slice(0, css.indexOf(at)), css.slice(css.indexOf(at))]

test('the colors are the product’s, in both themes', () => {
  const [light, dark] = cut(read('page.css'), '@media (prefers-color-scheme: dark)').map(colors)
  const [productLight, productDark] = cut(read('../../../renderer/ui/tokens.css').split('[data-palette')[0] ?? '', '.dark {').map(colors)
  expect(Object.keys(dark ?? {}).toSorted()).toEqual(Object.keys(light ?? {}).toSorted())
  expect(Object.keys(light ?? {}).length).toBeGreaterThan(8)
  expect(productLight).toMatchObject(light ?? {})
  expect(productDark).toMatchObject(dark ?? {})
})
