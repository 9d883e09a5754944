import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsDocument, settingsFile } from './settings-table.ts'

test('docs/settings.md shows the settings that the programs check', () => {
  expect(readFileSync(settingsFile, 'utf8'), 'write it with `npm exec -- node build/settings-table.ts`').toBe(settingsDocument)
})
