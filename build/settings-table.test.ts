import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsTable } from './settings-table.ts'

test('the README shows the settings that the program checks', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const shown = /<!-- settings -->\n([^]*?)\n?<!-- \/settings -->/.exec(readme)?.[1]
  expect(shown, 'print it with `node build/settings-table.ts` and put it between the two marks').toBe(settingsTable())
})
