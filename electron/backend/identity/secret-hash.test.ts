// @module-tag slow
import { expect, test } from 'vitest'
import { unmatchableHash, hashSecret, isSecret, standardCost } from './secret-hash.ts'

const cheap = { N: 1_024, r: 8, p: 1 }

test('a hash matches its secret and no other', async () => {
  const hash = await hashSecret('correct horse', cheap)
  expect(await isSecret('correct horse', hash)).toBe(true)
  expect(await isSecret('correct horsf', hash)).toBe(false)
  expect(await isSecret('', hash)).toBe(false)
})

test('hashing a secret twice gives different hashes, each with its cost', async () => {
  const [one, other] = await Promise.all([hashSecret('same', cheap), hashSecret('same', { ...cheap, p: 2 })])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt\$1024\$8\$1\$/)
  expect(other).toMatch(/^scrypt\$1024\$8\$2\$/)
  expect(await isSecret('same', other)).toBe(true)
})

test('two Unicode encodings of one character match', async () => {
  expect(await isSecret('cafe\u0301', await hashSecret('caf\u00e9', cheap))).toBe(true)
})

test('a malformed hash matches no secret', async () => {
  expect(await isSecret('x', 'plain')).toBe(false)
  expect(await isSecret('', '')).toBe(false)
})

test('an unmatchable hash matches no secret and takes the time of a real check', async () => {
  const nobody = unmatchableHash(cheap)
  expect(nobody).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await isSecret('', nobody)).toBe(false)
  expect(await hashSecret('same', cheap)).toHaveLength(nobody.length)
  expect(unmatchableHash(cheap)).not.toBe(nobody)
})

test('the standard cost takes 32 MB', async () => {
  expect(128 * standardCost.N * standardCost.r).toBe(32 * 1_048_576)
  const startedAt = performance.now()
  await hashSecret('timed')
  expect(performance.now() - startedAt).toBeGreaterThan(20)
})
