import { describe, expect, it } from 'vitest'
import { lockFileFaults } from './lock-file.ts'

const lockWith = (sqlite: object, other: object = {}) =>
  JSON.stringify({ packages: { '': {}, 'node_modules/better-sqlite3': { version: '13.2.0', ...sqlite }, 'node_modules/zod': { version: '4.6.7', ...other } } })

describe('the lock file', () => {
  it('passes with the one entry that npm install drops', () => {
    expect(lockFileFaults(lockWith({ gypfile: false }))).toEqual([])
  })
  it('is refused without it', () => {
    expect(lockFileFaults(lockWith({}))).toHaveLength(1)
  })
  it('is refused with a download address', () => {
    expect(lockFileFaults(lockWith({ gypfile: false }, { resolved: 'https://example.test/zod.tgz' }))).toEqual([expect.stringContaining('node_modules/zod')])
  })
})
