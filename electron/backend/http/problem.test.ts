import { expect, test } from 'vitest'
import { storeFault } from '../store/fault.ts'
import { failureOf } from './problem.ts'

test('a journal that another program locks is told as one', () => {
  expect(failureOf(storeFault('busy', 'SQLITE_BUSY: database is locked'))).toEqual({ code: 'journal-locked' })
})

test('a full disk is told as one, wherever it was met; all else is a bug', () => {
  expect(failureOf(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toEqual({ code: 'disk-full' })
  expect(failureOf(storeFault('disk-full', 'The disk is full'))).toEqual({ code: 'disk-full' })
  for (const bug of [new Error('a bug'), storeFault('internal', 'a bug'), 'text', null]) expect(failureOf(bug)).toEqual({ code: 'internal' })
})
