import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { grounds } from './theme.ts'

test('the window’s background equals the page’s', () => {
  const tokens = readFileSync(new URL('../../renderer/ui/tokens.css', import.meta.url), 'utf8')
  const groundOf = (selector: string): string | undefined => new RegExp(`^${selector} \\{[^}]*?--ground: (#[0-9a-f]{6});`, 'm').exec(tokens)?.[1]
  expect({ dark: groundOf(String.raw`\.dark`), light: groundOf(':root') }).toEqual(grounds)
})
