import { expect, test } from 'vitest'
import { storeFault } from '../db/fault.ts'
import { failureOf } from './problem.ts'

test('a locked or damaged file is named: the journal, or the copier\'s', () => {
  expect(failureOf(storeFault('busy', 'SQLITE_BUSY: database is locked'))).toEqual({ code: 'journal-locked' })
  for (const file of ['/home/nina/Fillbook/copier.db', 'C:\\Fillbook\\copier.db']) {
    expect(failureOf(Object.assign(storeFault('busy', 'SQLITE_BUSY: database is locked'), { file }))).toEqual({ code: 'copier-locked' })
    expect(failureOf(Object.assign(storeFault('damaged-database', 'SQLITE_CORRUPT'), { file }))).toEqual({ code: 'copier-damaged' })
  }
  expect(failureOf(Object.assign(storeFault('busy', 'SQLITE_BUSY'), { file: '/home/copier/journal.db' }))).toEqual({ code: 'journal-locked' })
})

test('a full disk is reported as one, wherever it happened; everything else is a bug', () => {
  expect(failureOf(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toEqual({ code: 'disk-full' })
  expect(failureOf(storeFault('disk-full', 'The disk is full'))).toEqual({ code: 'disk-full' })
  for (const bug of [new Error('a bug'), storeFault('internal', 'a bug'), 'text', null]) expect(failureOf(bug)).toEqual({ code: 'internal' })
})
