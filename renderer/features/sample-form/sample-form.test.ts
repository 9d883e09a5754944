import { describe, expect, test } from 'vitest'
import { readSample, type SampleDraft } from './sample-form.ts'

const now = new Date(2026, 10, 22, 12).getTime()
const good: SampleDraft = { name: 'Al', email: 'al@example.com', dob: '' }
const wrongOf = (draft: Partial<SampleDraft>): readonly string[] => {
  const read = readSample({ ...good, ...draft }, now)
  return 'wrong' in read ? read.wrong : []
}

describe('the sample form', () => {
  test('a name has at least two characters', () => {
    expect(wrongOf({ name: 'A' })).toEqual(['name'])
    expect(wrongOf({ name: 'Al' })).toEqual([])
  })
  test('an e-mail is one', () => {
    expect(wrongOf({ email: 'al@' })).toEqual(['email'])
  })
  test('a day of birth may be missing, and is not earlier than now', () => {
    expect(wrongOf({ dob: '2026-11-22' })).toEqual(['dob'])
    expect(wrongOf({ dob: '2026-11-23' })).toEqual([])
    expect(readSample({ ...good, dob: '2026-11-23' }, now)).toEqual({ values: { name: 'Al', email: 'al@example.com', dob: new Date(2026, 10, 23) } })
  })
  test('all that is wrong is told, in the order of the fields', () => {
    expect(wrongOf({ name: '', email: '', dob: '1990-05-01' })).toEqual(['name', 'email', 'dob'])
  })
})
