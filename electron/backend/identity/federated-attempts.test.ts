import { expect, test } from 'vitest'
import { createFederatedAttempts } from './federated-attempts.ts'

const application = { clientId: 'client', clientSecret: null, authorizeUrl: 'https://accounts.example/authorize', tokenUrl: 'https://accounts.example/token' }
const back = 'http://127.0.0.1:47615/auth/google/return'
const begin = (waitMs = 5_000) => {
  const clock = { now: Date.UTC(2026, 10, 21) }
  const attempts = createFederatedAttempts(application, () => clock.now, waitMs)
  const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? ''
  return { clock, attempts, stateOf }
}

test('the provider\'s URL carries state, nonce and PKCE challenge', () => {
  const { attempts } = begin()
  const asked = (url: string) => Object.fromEntries(new URL(url).searchParams)
  const [one, other] = [asked(attempts.begin('browser', back).url), asked(attempts.begin('browser', back).url)]
  expect(one).toMatchObject({ client_id: 'client', redirect_uri: back, response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' })
  for (const secret of ['state', 'nonce', 'code_challenge']) {
    expect(one[secret]?.length).toBeGreaterThan(40)
    expect(one[secret]).not.toBe(other[secret])
  }
})

test('the result is returned once, and only to the browser that started the attempt', async () => {
  const { attempts, stateOf } = begin()
  const { attempt, url } = attempts.begin('browser', back)
  attempts.returned({ state: stateOf(url), code: 'first' })
  attempts.returned({ state: stateOf(url), code: 'second' })
  expect(await attempts.end('another', attempt)).toMatchObject({ ok: false, error: { code: 'cancelled-popup-request' } })
  expect(await attempts.end('browser', attempt)).toMatchObject({ ok: true, value: { code: 'first' } })
  expect(await attempts.end('browser', attempt)).toMatchObject({ ok: false })
})

test('an unknown state changes nothing, and the waiting browser polls again', async () => {
  const { attempts } = begin(1)
  const { attempt } = attempts.begin('browser', back)
  attempts.returned({ state: 'strange', code: 'stolen' })
  attempts.returned({ state: '', code: 'stolen' })
  expect(await attempts.end('browser', attempt)).toEqual({ ok: true, value: null })
})

test('a new attempt cancels the same browser\'s older one and no other browser\'s', async () => {
  const { attempts, stateOf } = begin()
  const [older, elsewhere] = [attempts.begin('browser', back), attempts.begin('another', back)]
  const waiting = attempts.end('browser', older.attempt)
  const newer = attempts.begin('browser', back)
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'cancelled-popup-request' } })
  attempts.returned({ state: stateOf(older.url), code: 'late' })
  attempts.returned({ state: stateOf(newer.url), code: null })
  attempts.returned({ state: stateOf(elsewhere.url), code: 'fine' })
  expect(await attempts.end('browser', newer.attempt)).toMatchObject({ ok: false, error: { code: 'federated-denied' } })
  expect(await attempts.end('another', elsewhere.attempt)).toMatchObject({ ok: true, value: { code: 'fine' } })
})

test('a browser that restarts its attempt many times evicts no other browser\'s', async () => {
  const { attempts, stateOf } = begin()
  const { attempt, url } = attempts.begin('another', back)
  for (let times = 0; times < 200; times += 1) attempts.begin('browser', back)
  attempts.returned({ state: stateOf(url), code: 'fine' })
  expect(await attempts.end('another', attempt)).toMatchObject({ ok: true, value: { code: 'fine' } })
})

test('an attempt expires after ten minutes', async () => {
  const { attempts, clock, stateOf } = begin()
  const { attempt, url } = attempts.begin('browser', back)
  clock.now += 600_001
  attempts.returned({ state: stateOf(url), code: 'late' })
  expect(await attempts.end('browser', attempt)).toMatchObject({ ok: false, error: { code: 'cancelled-popup-request' } })
})
