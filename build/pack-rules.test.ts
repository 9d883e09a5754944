import { expect, test } from 'vitest'
import { unreachable } from './pack-rules.ts'

test('a runtime that cannot be fetched is one line, and an error of the packing keeps its stack', () => {
  expect(unreachable(Object.assign(new Error('getaddrinfo ENOTFOUND github.com'), { code: 'ENOTFOUND' }))).toMatch(/^Nothing was packed: getaddrinfo ENOTFOUND github\.com\. .*ELECTRON_MIRROR/)
  expect(unreachable(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBeNull()
  expect(unreachable(new Error('Invalid configuration object'))).toBeNull()
  expect(unreachable('a word')).toBeNull()
})
