// @module-tag slow
import { expect, test } from 'vitest'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import { createTokenSync } from './token-sync.ts'

const begin = async (status = 200) => {
  const clock = { now: Date.UTC(2026, 10, 21) }
  const { url, seen } = await serveLoopback(() => ({ status }))
  const warned: string[] = []
  const log = { debug: () => undefined, info: () => undefined, warn: (_: object, message: string) => void warned.push(message), error: () => undefined }
  return { clock, seen, warned, sync: createTokenSync({ url: `${url}/token-sync`, now: () => clock.now, log }) }
}
const calls = (seen: readonly { method: string; bearer: string | null }[]) => seen.map(({ method, bearer }) => `${method} ${bearer ?? ''}`)

test('new tokens are sent at most every five minutes per user, and the end is sent too', async () => {
  const { clock, seen, sync } = await begin()
  sync.renewed('ann', 'first')
  sync.renewed('ann', 'second')
  await expect.poll(() => calls(seen)).toEqual(['POST first'])
  sync.renewed('bob', 'of-bob')
  await expect.poll(() => calls(seen)).toEqual(['POST first', 'POST of-bob'])
  clock.now += 300_000
  sync.renewed('ann', 'first')
  sync.renewed('ann', 'third')
  await expect.poll(() => calls(seen)).toEqual(['POST first', 'POST of-bob', 'POST third'])
  sync.left('ann')
  sync.left('ann')
  await expect.poll(() => calls(seen)).toEqual(['POST first', 'POST of-bob', 'POST third', 'DELETE third'])
})

test('a failure is only logged', async () => {
  const { sync, warned } = await begin(500)
  sync.renewed('ann', 'first')
  await expect.poll(() => warned).toEqual(['token sync was refused'])
})
