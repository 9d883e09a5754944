import { expect, test } from 'vitest'
import { isDownloadAllowed, isPermissionAllowed } from './permissions.ts'

const origin = 'http://127.0.0.1:47615'
const page = `${origin}/#/dashboard`

test('the app’s page may copy text; every other permission is denied', () => {
  expect(isPermissionAllowed('clipboard-sanitized-write', page, origin)).toBe(true)
  expect(isPermissionAllowed('clipboard-sanitized-write', 'https://trader.tradovate.com/oauth', origin)).toBe(false)
  expect(isPermissionAllowed('clipboard-sanitized-write', undefined, origin)).toBe(false)
  for (const permission of ['clipboard-read', 'media', 'geolocation', 'notifications', 'openExternal', 'fullscreen', 'usb', 'fileSystem', 'local-network-access']) expect(isPermissionAllowed(permission, page, origin)).toBe(false)
})

test('the app’s page may download files of the app', () => {
  expect(isDownloadAllowed([`blob:${origin}/0a-1b`], page, origin)).toBe(true)
  expect(isDownloadAllowed([`${origin}/api/trades.csv?from=1`], page, origin)).toBe(true)
})

test.each([
  ['a file of somebody else', ['https://files.example/setup.exe'], page],
  ['a file of the app to which somebody else’s page leads', [`${origin}/api/journal-file`], 'https://trader.tradovate.com/'],
  ['an address of the app that leads elsewhere', [`${origin}/x`, 'https://files.example/setup.exe'], page],
  ['an address elsewhere that leads to the app', ['https://files.example/x', `${origin}/api/journal-file`], page],
  ['a blob of somebody else', ['blob:https://files.example/0a'], page],
  ['what a page carries in its address', ['data:application/octet-stream,x'], page],
  ['an empty redirect chain', [], page],
  ['a file that no page asked for', [`${origin}/api/trades.csv`], undefined],
])('%s is not', (_what, chain, asking) => {
  expect(isDownloadAllowed(chain, asking, origin)).toBe(false)
})
