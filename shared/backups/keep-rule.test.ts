import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoDate, dayOfDate } from '#shared/market/zone-clock.ts'
import { keptByRule, type DatedBackup } from './keep-rule.ts'

const of = (day: string, time = '12-00-00'): DatedBackup => ({ name: `journal-${day}T${time}Z.db`, day })
const daysBefore = (last: string, count: number): DatedBackup[] => Array.from({ length: count }, (_, back) => of(isoDate(dayOfDate(last) - back)))
const keptDays = (backups: readonly DatedBackup[]): string[] => {
  const kept = keptByRule(backups)
  return backups.filter(({ name }) => kept.has(name)).map(({ day }) => day).toSorted().toReversed()
}

test('of a year of days the last seven stay, the last of four weeks, and the last of twelve months', () => {
  expect(keptDays(daysBefore('2026-11-22', 400))).toEqual([
    ...['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16'],
    ...['2026-11-15', '2026-11-08', '2026-11-01'],
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ])
})

test('days without a backup do not count: who was away for a month keeps what was before', () => {
  const before = daysBefore('2026-10-09', 6)
  expect(keptDays([of('2026-11-22'), ...before])).toEqual(['2026-11-22', ...before.map(({ day }) => day)])
})

test('of one day the newest stays', () => {
  expect([...keptByRule([of('2026-11-22', '09-00-00'), of('2026-11-22', '21-30-00'), of('2026-11-22', '15-00-00')])]).toEqual(['journal-2026-11-22T21-30-00Z.db'])
})

test('nothing stays of nothing', () => {
  expect(keptByRule([]).size).toBe(0)
})

const backups = fc.uniqueArray(fc.tuple(fc.integer({ min: 19_000, max: 21_500 }), fc.integer({ min: 10, max: 23 })), { maxLength: 120 }).map((drawn) => drawn.map(([day, hour]) => of(isoDate(day), `${String(hour)}-00-00`)))

test('the newest is never removed, at most 23 stay, what was kept is kept again, and the order they come in says nothing', () => {
  fc.assert(
    fc.property(backups, (all) => {
      const kept = keptByRule(all)
      const newest = all.map(({ name }) => name).toSorted().at(-1)
      expect(newest === undefined || kept.has(newest)).toBe(true)
      expect(kept.size).toBeLessThanOrEqual(23)
      expect(keptByRule(all.filter(({ name }) => kept.has(name)))).toEqual(kept)
      expect(keptByRule(all.toReversed())).toEqual(kept)
    }),
  )
})

test('what stays where the rule is kept day by day is what it keeps of all of them at once', () => {
  let standing: DatedBackup[] = []
  for (const one of daysBefore('2026-11-22', 500).toReversed()) {
    standing.push(one)
    const kept = keptByRule(standing)
    standing = standing.filter(({ name }) => kept.has(name))
  }
  expect(keptDays(standing)).toEqual(keptDays(daysBefore('2026-11-22', 500)))
})
