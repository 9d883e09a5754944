import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decisionsIndex, indexFile, readDecisions } from './decisions-index.ts'

const decisions = readDecisions()

describe('the decisions', () => {
  test('the index lists what the files state', () => {
    expect(readFileSync(indexFile, 'utf8'), 'write it with `npm exec -- node build/decisions-index.ts`').toBe(decisionsIndex(decisions))
  })
  test('each number belongs to one file, whose name begins with it', () => {
    expect(decisions.filter(({ file, number }) => !file.startsWith(number))).toEqual([])
    expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length)
  })
  test('each accepted decision states the decision and why', () => {
    expect(decisions.filter(({ status, body }) => status === 'accepted' && !(body.includes('**Decision.** ') && body.includes('**Why.** '))).map(({ file }) => file)).toEqual([])
  })
})
