import { expect, test } from 'vitest'
import { momentOf, wallTime } from './wall-time.ts'

const chicago = 'America/Chicago'

test('a field and its moment lead to each other', () => {
  for (const zone of [chicago, 'Asia/Kolkata', 'Europe/Berlin', 'UTC', 'Australia/Lord_Howe']) {
    for (const moment of ['2026-02-13T20:41:07.000Z', '2026-07-01T03:30:00.000Z', '2026-03-08T07:59:59.000Z', '2026-03-08T08:00:00.000Z', '2026-11-02T06:00:00.000Z']) {
      expect(momentOf(wallTime(moment, zone), zone)).toBe(moment)
    }
  }
})

test('seconds may be left out', () => {
  expect(momentOf('2026-02-13T14:41', chicago)).toBe('2026-02-13T20:41:00.000Z')
})

test('the hour that comes twice is its first', () => {
  expect(momentOf('2026-11-01T01:30:00', chicago)).toBe('2026-11-01T06:30:00.000Z')
})

test('the hour that spring leaves out is read as an hour later', () => {
  expect(wallTime(momentOf('2026-03-08T02:30:00', chicago) ?? '', chicago)).toBe('2026-03-08T03:30:00')
})

test('an empty or broken field holds no moment', () => {
  for (const text of ['', '2026-02-13', 'yesterday', '2026-13-40T10:00']) expect(momentOf(text, chicago)).toBeNull()
})
