import { expect, test } from 'vitest'
import { hashOfNobody, hashSecret, isSecret, standardCost } from './secret-hash.ts'

const cheap = { N: 1_024, r: 8, p: 1 }

test('a hash knows its secret and no other', async () => {
  const hash = await hashSecret('correct horse', cheap)
  expect(await isSecret('correct horse', hash)).toBe(true)
  expect(await isSecret('correct horsf', hash)).toBe(false)
  expect(await isSecret('', hash)).toBe(false)
})

test('one secret hashes differently each time, and the cost is kept with it', async () => {
  const [one, other] = await Promise.all([hashSecret('same', cheap), hashSecret('same', { ...cheap, p: 2 })])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt\$1024\$8\$1\$/)
  expect(other).toMatch(/^scrypt\$1024\$8\$2\$/)
  expect(await isSecret('same', other)).toBe(true)
})

test('the same sign typed in two ways is the same', async () => {
  expect(await isSecret('cafe\u0301', await hashSecret('caf\u00e9', cheap))).toBe(true)
})

test('what is no hash fits no secret', async () => {
  expect(await isSecret('x', 'plain')).toBe(false)
  expect(await isSecret('', '')).toBe(false)
})

test('a hash of nobody fits no secret, and is checked at its cost', async () => {
  const nobody = hashOfNobody(cheap)
  expect(nobody).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await isSecret('', nobody)).toBe(false)
  expect(await hashSecret('same', cheap)).toHaveLength(nobody.length)
  expect(hashOfNobody(cheap)).not.toBe(nobody)
})

test('the standard cost asks for 32 MB', async () => {
  expect(128 * standardCost.N * standardCost.r).toBe(32 * 1_048_576)
  const startedAt = performance.now()
  await hashSecret('timed')
  expect(performance.now() - startedAt).toBeGreaterThan(20)
})
