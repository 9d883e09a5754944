import { expect } from 'vitest'
import type { FileProblemCode } from '#backend/imports/read-export.ts'
import type { Reading } from '#shared/imports/reading.ts'
import type { HugeShape } from '#tests/helpers/exports/huge.ts'
import type { ReadFile } from '#tests/helpers/exports/read.ts'

const fileProblems: readonly FileProblemCode[] = ['unknown-kind', 'missing-columns', 'not-text', 'empty', 'unreadable', 'failed-export', 'mostly-refused', 'too-many-accounts', 'mixed-dates', 'open-dates']

/** A reading as a text by which it is compared. */
export const textOf = (reading: Reading): string => JSON.stringify(reading)

const numbersOf = (value: unknown): readonly number[] => (typeof value === 'number' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [])

/** What holds whatever the file was: a known reason where it is refused whole, else every row counted once and nothing in a reading that is no exact number. */
export const expectSound = (file: ReadFile): void => {
  if (!file.ok) {
    expect(fileProblems).toContain(file.problem.code)
    return
  }
  const { summary, readings, refused } = file
  expect(summary.rows).toBe(summary.accepted + summary.refused)
  expect(refused.length).toBe(summary.refused)
  expect(readings.length).toBeLessThanOrEqual(summary.accepted)
  for (const { line, problem } of refused) {
    expect(line).toBeGreaterThan(1)
    expect(problem.value.length).toBeLessThanOrEqual(40)
  }
  for (const reading of readings) expect(numbersOf(reading).every(Number.isSafeInteger)).toBe(true)
}

/** The readings of a file that was read, wherever in it their lines stand; fails where it was refused whole. */
export const readingsOf = (file: ReadFile): readonly Reading[] => {
  if (!file.ok) throw new Error(`Refused whole: ${file.problem.code}`)
  return file.readings.map((reading) => (reading.says === 'refused' ? reading : JSON.parse(JSON.stringify(reading, (key, value: unknown) => (key === 'line' ? undefined : value))) as Reading))
}

/** The readings of `all` without one of each in `some`; null where `some` holds one that `all` has not. */
export const missingFrom = (all: readonly Reading[], some: readonly Reading[]): readonly string[] | null => {
  const left = all.map(textOf)
  for (const reading of some) {
    const at = left.indexOf(textOf(reading))
    if (at < 0) return null
    left.splice(at, 1)
  }
  return left
}

/** How a file without measure ends: one endless line is one row that is refused, a file of nothing but refused rows is refused whole. */
export const hugeOutcomes: Readonly<Record<HugeShape, object>> = {
  fills: { ok: true, refused: 0 },
  'one-line': { ok: true, rows: 3, refused: 1 },
  quotes: { ok: true, rows: 3, refused: 1 },
  binary: { ok: false, problem: 'not-text' },
  'bad-rows': { ok: false, problem: 'mostly-refused' },
  'open-quote': { ok: false, problem: 'mostly-refused' },
  'line-ends': { ok: false, problem: 'empty' },
}
