import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('docs/dependencies.md gives a reason for each package, and for no other', () => {
  const rows = read('../docs/dependencies.md').split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''))
  const { dependencies, devDependencies } = JSON.parse(read('../package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>
  const packages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
  expect(named.toSorted()).toEqual(packages.toSorted())
})
