import { expect, test } from 'vitest'
import type { StoredTokens, TokenRecord } from '../secrets/token-store.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { systemTiming } from '../brokers/timing.ts'
import type { Tokens } from '../brokers/tradovate/tokens.ts'
import { createTokenKeeper } from './token-keeper.ts'

const tokens = (number: number): Tokens => ({ access: `access-${String(number)}`, refresh: `refresh-${String(number)}`, accessExpiresAt: 1_000, obtainedAt: 0 })
const login = { userId: 'ann', loginId: 'one' }
const hosts = { authorize: 'https://a.example/oauth', token: ['https://a.example/token', 'https://a.example/token2'], live: 'https://a.example/live', demo: 'https://a.example/demo' } as const

/** A keeper of one login, at a brokerage that gives each refresh token once. */
const start = () => {
  const kept = new Map<string, TokenRecord>([['one', tokens(0) as TokenRecord]])
  const it = { asked: [] as string[], next: 1, dead: new Set<string>() }
  const app = {
    clientId: () => expect.fail(),
    exchange: () => expect.fail(),
    isThere: () => Promise.resolve(true),
    refresh: (refreshToken: string) => {
      it.asked.push(refreshToken)
      if (it.dead.has(refreshToken)) return Promise.resolve({ kind: 'refused', lastError: 'invalid_grant' } as const)
      it.dead.add(refreshToken)
      return Promise.resolve({ kind: 'renewed', tokens: tokens(it.next++) } as const)
    },
  }
  const journal = { read: { profile: () => Promise.resolve({ id: 'ann', demo: false }) } } as unknown as JournalCalls
  const keeper = createTokenKeeper({
    store: {
      get: (loginId) => Promise.resolve<StoredTokens>(kept.has(loginId) ? { kind: 'found', tokens: kept.get(loginId) as TokenRecord } : { kind: 'none' }),
      set: (loginId, given) => Promise.resolve(void kept.set(loginId, given)),
      getKey: () => Promise.resolve(null),
      setKey: () => Promise.reject(new Error('No key is kept here')),
      remove: (loginId) => Promise.resolve(void kept.delete(loginId)),
    },
    journal,
    brokerages: { demo: () => null, real: () => ({ hosts, application: { ofUser: () => app }, redirectUri: 'http://127.0.0.1/' }) },
    timing: systemTiming,
  })
  return { it, keeper, kept }
}

test('two threads with one refresh token, at once or much later, get the same new tokens: it is sent once', async () => {
  const { it, keeper } = start()
  const both = await Promise.all([keeper.refresh(login, 'refresh-0'), keeper.refresh(login, 'refresh-0')])
  expect(both).toEqual([{ kind: 'renewed', tokens: tokens(1) }, { kind: 'renewed', tokens: tokens(1) }])
  expect(await keeper.refresh(login, 'refresh-1')).toEqual({ kind: 'renewed', tokens: tokens(2) })
  expect(await keeper.refresh(login, 'refresh-0')).toEqual({ kind: 'renewed', tokens: tokens(2) })
  expect(it.asked).toEqual(['refresh-0', 'refresh-1'])
})

test('the live refresh token is kept, even if the other thread renewed its access token meanwhile', async () => {
  const { keeper, kept } = start()
  await keeper.replace(login, 'access-0', { ...tokens(0), access: 'renewed by the other' })
  const swapped = await keeper.refresh(login, 'refresh-0')
  expect(swapped.kind).toBe('renewed')
  await keeper.replace(login, 'access-0', tokens(1))
  expect(kept.get('one')).toEqual(tokens(1))
  // What was renewed of an older one changes nothing.
  await keeper.replace(login, 'access-0', { ...tokens(0), access: 'late' })
  expect(kept.get('one')).toEqual(tokens(1))
})

test('after a new consent the previous tokens are not used any more', async () => {
  const { it, keeper, kept } = start()
  await keeper.keep(login, hosts, tokens(7))
  expect(await keeper.refresh(login, 'refresh-0')).toEqual({ kind: 'renewed', tokens: tokens(7) })
  expect([it.asked, kept.get('one')]).toEqual([[], tokens(7)])
  await keeper.forget('one')
  expect(kept.size).toBe(0)
  // Nobody gets the tokens of a login that was forgotten.
  expect(await keeper.refresh(login, 'refresh-0')).toEqual({ kind: 'renewed', tokens: tokens(1) })
  expect(it.asked).toEqual(['refresh-0'])
})
