import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsTables } from './settings-table.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test.each(Object.entries(settingsTables))('the README shows the %s that the program checks', (mark, table) => {
  const [, after = ''] = readme.split(`<!-- ${mark} -->\n`)
  const [shown] = after.split(`\n<!-- /${mark} -->`)
  expect(shown, 'print it with `node build/settings-table.ts` and put it between the two marks').toBe(table)
})
