import { expect, test } from 'vitest'
import { mayDownload, mayHave } from './permission-rules.ts'

const origin = 'http://127.0.0.1:47615'
const page = `${origin}/#/dashboard`

test('the app’s page may copy a text, and nobody may have anything else', () => {
  expect(mayHave('clipboard-sanitized-write', page, origin)).toBe(true)
  expect(mayHave('clipboard-sanitized-write', 'https://trader.tradovate.com/oauth', origin)).toBe(false)
  expect(mayHave('clipboard-sanitized-write', undefined, origin)).toBe(false)
  for (const permission of ['clipboard-read', 'media', 'geolocation', 'notifications', 'openExternal', 'fullscreen', 'usb', 'fileSystem', 'local-network-access']) expect(mayHave(permission, page, origin)).toBe(false)
})

test('what the app gives its own page may be kept as a file', () => {
  expect(mayDownload([`blob:${origin}/0a-1b`], page, origin)).toBe(true)
  expect(mayDownload([`${origin}/api/trades.csv?from=1`], page, origin)).toBe(true)
})

test.each([
  ['a file of somebody else', ['https://files.example/setup.exe'], page],
  ['a file of the app to which somebody else’s page leads', [`${origin}/api/journal-file`], 'https://trader.tradovate.com/'],
  ['an address of the app that leads elsewhere', [`${origin}/x`, 'https://files.example/setup.exe'], page],
  ['an address elsewhere that leads to the app', ['https://files.example/x', `${origin}/api/journal-file`], page],
  ['a blob of somebody else', ['blob:https://files.example/0a'], page],
  ['what a page carries in its address', ['data:application/octet-stream,x'], page],
  ['an address that tells nothing', [], page],
  ['a file that no page asked for', [`${origin}/api/trades.csv`], undefined],
])('%s is not', (_what, chain, asking) => {
  expect(mayDownload(chain, asking, origin)).toBe(false)
})
