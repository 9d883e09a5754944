import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appId } from './app-id.ts'

test('the app id equals that of the packed program', () => {
  const packing = readFileSync(new URL('../../electron-builder.yml', import.meta.url), 'utf8')
  expect(/^appId: (.+)$/m.exec(packing)?.[1]).toBe(appId)
})
