import { expect, test } from 'vitest'
import { emptyRules } from './rules-form-schema.ts'
import { draftKey, dropDraft, keepDraft, useDrafts } from './unsaved-rules.ts'

const draft = (since: string) => ({ ...emptyRules('USD'), since })
const known = (): string[] => [...useDrafts.getState().drafts].map(([key, { since }]) => `${key}: ${since}`)

test('drafts are kept by user and account, and edits made during a save are not lost', () => {
  const [mine, theirs] = [draftKey('u1', 'a'), draftKey('u2', 'a')]
  const sent = draft('2026-02-02')
  keepDraft(mine, sent)
  keepDraft(theirs, draft('2026-02-03'))
  keepDraft(mine, draft('2026-02-04'))
  dropDraft(mine, sent)
  expect(known()).toEqual(['u1 a: 2026-02-04', 'u2 a: 2026-02-03'])
  dropDraft(mine)
  expect(known()).toEqual(['u2 a: 2026-02-03'])
})
