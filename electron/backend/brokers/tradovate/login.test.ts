// @module-tag slow
import { expect, test } from 'vitest'
import type { Served } from '#tests/helpers/loopback.ts'
import { fills, fresh, isRenewal, loginStage, minute, never } from '#tests/helpers/login-stage.ts'
import type { Tokens } from './tokens.ts'

const unauthorised: Served = { status: 401 }

test('a young token reads and is not renewed', async () => {
  const { login, seen } = await loginStage({ answer: () => ({ json: [{ id: 1 }] }) })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [{ id: 1 }] })
  expect(await login.renewIfDue()).toBeNull()
  expect(seen).toMatchObject([{ url: '/demo/v1/fill/list', bearer: 'tok-0' }])
})

test('a token near its end is renewed first, once for all who wait, and saved before it is used', async () => {
  const order: string[] = []
  const { login, saved, reads } = await loginStage({
    livesFor: 10 * minute,
    answer: (seen) => {
      if (isRenewal(seen)) return { json: { accessToken: 'tok-1' } }
      order.push(`read with ${String(seen.bearer)}`)
      return { json: [] }
    },
    save: async ({ access }) => {
      await new Promise(setImmediate)
      order.push(`saved ${access}`)
    },
  })
  await Promise.all([login.read(fills, never), login.read(fills, never), login.read(fills, never)])
  expect(order).toEqual(['saved tok-1', ...Array.from({ length: 3 }, () => 'read with tok-1')])
  expect(saved).toHaveLength(1)
  expect(reads()).toHaveLength(3)
})

test('a dead token is exchanged by its refresh token; the next one uses the new refresh token', async () => {
  const { login, grants, timing, seen } = await loginStage({ livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }), grant: (token, time) => fresh(`tok-after-${token}`, time) })
  expect(await login.read(fills, never)).toMatchObject({ ok: true })
  timing.pass(81 * minute)
  expect(await login.read(fills, never)).toMatchObject({ ok: true })
  expect(grants).toEqual(['ref-0', 'ref-1'])
  expect(seen.map(({ bearer }) => bearer)).toEqual(['tok-after-ref-0', 'tok-after-ref-1'])
})

test('a living token is prolonged, which opens no new session', async () => {
  const { login, grants } = await loginStage({ livesFor: minute, refresh: 'ref-0', answer: (seen) => (isRenewal(seen) ? { json: { accessToken: 'tok-1' } } : { json: [] }) })
  expect(await login.renewIfDue()).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-1', refresh: 'ref-0' } })
  expect(grants).toEqual([])
})

test('one refusal does not end a login: after a pause the renewal is retried', async () => {
  let refusals = 1
  const { login, timing } = await loginStage({
    livesFor: -minute,
    refresh: 'ref-0',
    answer: () => ({ json: [] }),
    grant: (_, time) => (refusals-- > 0 ? { kind: 'refused', lastError: 'invalid_token' } : fresh('tok-1', time)),
  })
  expect(await login.read(fills, never)).toMatchObject({ ok: true })
  expect(timing.pauses).toEqual([15_000])
})

test('refused twice with a pause between: the user must connect again, and nothing was read', async () => {
  const { login, grants, timing, reads } = await loginStage({ livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }) })
  expect(await login.read(fills, never)).toEqual({ ok: false, error: { kind: 'login-needed', lastError: 'invalid_token' } })
  expect(grants).toEqual(['ref-0', 'ref-0'])
  expect(timing.pauses).toEqual([15_000])
  expect(reads()).toEqual([])
})

test('without a refresh token the broker is still asked, twice, before a login counts as expired', async () => {
  const { login, seen } = await loginStage({ livesFor: -minute, answer: () => unauthorised })
  expect(await login.renewIfDue()).toEqual({ kind: 'refused', lastError: 'http-401' })
  expect(seen.filter(isRenewal)).toHaveLength(2)
})

test.each([
  ['invalid_token: The refresh token is not valid', 'refused'],
  ['invalid_grant', 'refused'],
  ['Access is denied', 'refused'],
  ['Expired Access Token', 'refused'],
  ['The refresh token has expired', 'refused'],
  ['Service is undergoing maintenance', 'unreachable'],
  ['no-access-token', 'unreachable'],
  ['http-403', 'unreachable'],
  ['invalid_client: the token of this application has expired', 'unreachable'],
] as const)('"%s", received twice for a refresh token, means: %s', async (lastError, kind) => {
  const { login } = await loginStage({ livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }), grant: () => ({ kind: 'refused', lastError }) })
  expect(await login.renewIfDue()).toMatchObject({ kind })
})

test.each<[string, Served]>([
  ['a cut line', 'cut'],
  ['silence', 'silence'],
  ['a 503', { status: 503 }],
  ['a limit', { status: 429 }],
  ['a page of HTML', { text: '<h1>Back soon</h1>' }],
  ['a sentence', { text: 'The service is down for maintenance' }],
  ['an error that is no refusal', { json: { errorText: 'Try again after the maintenance window' } }],
  ['an answer without a token', { json: {} }],
])('%s at the renewal never expires a login, and a living token goes on reading', async (_, trouble) => {
  const alive = await loginStage({ livesFor: minute / 2, refresh: 'ref-0', answer: (seen) => (isRenewal(seen) ? trouble : { json: [] }) })
  expect(await alive.login.read(fills, never)).toMatchObject({ ok: true })
  expect(alive.seen.filter(isRenewal)).toHaveLength(1)
  expect(await alive.login.renewIfDue()).toMatchObject({ kind: 'unreachable' })
  const dead = await loginStage({ livesFor: -minute, answer: () => trouble })
  expect(await dead.login.read(fills, never)).toMatchObject({ ok: false })
  expect(JSON.stringify(await dead.login.read(fills, never))).not.toContain('login-needed')
})

test('a failed renewal is not retried at every read', async () => {
  const { login, seen, timing } = await loginStage({ livesFor: 10 * minute, answer: (one) => (isRenewal(one) ? 'cut' : { json: [] }) })
  for (let n = 0; n < 5; n += 1) await login.read(fills, never)
  expect(seen.filter(isRenewal)).toHaveLength(1)
  timing.pass(minute)
  await login.read(fills, never)
  expect(seen.filter(isRenewal)).toHaveLength(2)
})

test('a token that died before its time is renewed once and the read goes on', async () => {
  const { login, reads } = await loginStage({
    refresh: 'ref-0',
    answer: (seen) => (seen.bearer === 'tok-1' ? { json: [7] } : unauthorised),
    grant: (_, time) => fresh('tok-1', time),
  })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [7] })
  expect(reads().map(({ bearer }) => bearer)).toEqual(['tok-0', 'tok-1'])
})

test('reads that find the token dead together share one renewal', async () => {
  const { login, grants } = await loginStage({
    refresh: 'ref-0',
    answer: (seen) => (seen.bearer === 'tok-1' ? { json: [] } : unauthorised),
    grant: (_, time) => fresh('tok-1', time),
  })
  const answers = await Promise.all(Array.from({ length: 5 }, () => login.read(fills, never)))
  expect(answers.every((answer) => answer.ok)).toBe(true)
  expect(grants).toEqual(['ref-0'])
})

test('a missing permission costs one renewal, not one at every run', async () => {
  const { login, seen } = await loginStage({ answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1' } } : one.path.includes('/live/') ? unauthorised : { json: [] }) })
  const live = { ...fills, environment: 'live' } as const
  for (let run = 0; run < 3; run += 1) {
    expect(await login.read(live, never)).toEqual({ ok: false, error: { kind: 'permission-missing' } })
    expect(await login.read(fills, never)).toMatchObject({ ok: true })
  }
  expect(seen.filter(isRenewal)).toHaveLength(1)
})

test.each([408, 429, 500])('%i for this session alone: newer sessions pushed it out, and it opens again only on request', async (status) => {
  const { login, grants } = await loginStage({
    refresh: 'ref-0',
    answer: ({ bearer }) => (bearer === null ? unauthorised : bearer === 'tok-0' ? { status } : { json: [1] }),
    grant: (_, time) => fresh('tok-1', time),
  })
  expect(await login.read(fills, never)).toEqual({ ok: false, error: { kind: 'session-pushed-out' } })
  expect(grants).toEqual([])
  expect(await login.reopen()).toMatchObject({ kind: 'renewed' })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [1] })
})

test.each<[string, number, object]>([
  ['a limit that meets everybody', 429, { kind: 'rate-limited', waitMs: 3_600_000 }],
  ['a broker that is down for everybody', 500, { kind: 'unreachable', cause: 'server', status: 500 }],
])('%s is no closed session', async (_, status, error) => {
  const { login } = await loginStage({ answer: () => ({ status }) })
  expect(await login.read(fills, never)).toEqual({ ok: false, error })
})

test.each([429, 500])('%i on one path while another answers is no closed session', async (status) => {
  const { login } = await loginStage({ answer: ({ path, bearer }) => (bearer === null ? unauthorised : path.endsWith('/fill/list') ? { status } : { json: [] }) })
  expect(await login.read(fills, never)).toMatchObject({ ok: false, error: { kind: status === 429 ? 'rate-limited' : 'unreachable' } })
})

test('a disk that failed once does not cost the login: the new tokens are saved before the next read', async () => {
  let failures = 1
  const { login, saved, grants, reads } = await loginStage({
    livesFor: -minute,
    refresh: 'ref-0',
    answer: () => ({ json: [] }),
    grant: (_, time) => fresh('tok-1', time),
    save: () => (failures-- > 0 ? Promise.reject(new Error('disk full')) : Promise.resolve()),
  })
  await expect(login.read(fills, never)).rejects.toThrow('disk full')
  expect(await login.read(fills, never)).toMatchObject({ ok: true })
  expect(grants).toEqual(['ref-0'])
  expect(saved).toMatchObject([{ access: 'tok-1' }])
  expect(reads().map(({ bearer }) => bearer)).toEqual(['tok-1'])
})

test('a new session is opened also where a plain renewal is under way', async () => {
  const { login, grants } = await loginStage({
    livesFor: minute,
    refresh: 'ref-0',
    answer: (seen) => (isRenewal(seen) ? { json: { accessToken: 'tok-1' } } : { json: [] }),
    grant: (_, time) => fresh('tok-2', time),
  })
  const plain = login.renewIfDue()
  const reopened = [login.reopen(), login.reopen()]
  expect(await plain).toMatchObject({ tokens: { access: 'tok-1' } })
  for (const outcome of reopened) expect(await outcome).toMatchObject({ kind: 'renewed', tokens: { access: 'tok-2' } })
  expect(grants).toEqual(['ref-0'])
})

test('a caller that gives up does not cut off the renewal that others wait for', async () => {
  const giveUp = new AbortController()
  let answerGrant = (): void => undefined
  const { login, saved } = await loginStage({
    livesFor: -minute,
    refresh: 'ref-0',
    answer: () => ({ json: [] }),
    grant: (_, time) =>
      new Promise((resolve) => {
        answerGrant = () => { resolve(fresh('tok-1', time)) }
      }),
  })
  const impatient = login.read(fills, giveUp.signal)
  const patient = login.read(fills, never)
  giveUp.abort()
  expect(await impatient).toEqual({ ok: false, error: { kind: 'aborted' } })
  answerGrant()
  expect(await patient).toMatchObject({ ok: true })
  expect(saved).toHaveLength(1)
})

test('a program that stops during the pause between two refusals has not lost the login', async () => {
  const { login, grants } = await loginStage({ livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }), stop: AbortSignal.abort() })
  expect(await login.renewIfDue()).toEqual({ kind: 'unreachable', failure: { kind: 'aborted' } })
  expect(grants).toEqual(['ref-0'])
})

test('no failure carries a token', async () => {
  const { login } = await loginStage({
    refresh: 'ref-0',
    answer: (seen) => (isRenewal(seen) ? { json: { accessToken: 'tok-1' } } : { json: { errorText: `${String(seen.bearer)} may not` } }),
  })
  expect(JSON.stringify(await login.read(fills, never))).toBe('{"ok":false,"error":{"kind":"refused-by-broker","detail":"… may not"}}')
})

const tokensFor = (access: string, time: number, livesFor = 80 * minute): Tokens => ({ access, refresh: `ref-of-${access}`, accessExpiresAt: time + livesFor, obtainedAt: time })

test('tokens that another thread renewed are taken over, and nothing is swapped', async () => {
  const { login, grants, saved, seen, timing } = await loginStage({
    livesFor: 5 * minute, refresh: 'ref-0', answer: () => ({ json: [] }), kept: () => Promise.resolve(tokensFor('tok-other', timing.now())),
  })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [] })
  expect(seen).toMatchObject([{ bearer: 'tok-other' }])
  expect([grants, saved]).toEqual([[], []])
})

test('a refresh that the other thread won is no refusal of the login', async () => {
  let asked = 0
  const { login, grants, timing } = await loginStage({
    livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }),
    // The other swaps the refresh token between our look and our own swap.
    kept: () => Promise.resolve((asked += 1) === 1 ? null : tokensFor('tok-other', timing.now())),
  })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [] })
  expect(grants).toEqual(['ref-0'])
  expect(login.passNow('demo')?.access).toBe('tok-other')
})

test('kept tokens that are due themselves are renewed by their own refresh token', async () => {
  const { login, grants } = await loginStage({
    livesFor: -minute, refresh: 'ref-0', answer: () => ({ json: [] }), grant: (token, time) => fresh(`tok-after-${token}`, time), kept: () => Promise.resolve(tokensFor('tok-other', 0, 1)),
  })
  await login.read(fills, never)
  expect(grants).toEqual(['ref-of-tok-other'])
})

test('a pass is available at once while its token is valid, else after a renewal', async () => {
  const { login, url, timing } = await loginStage({ livesFor: minute, refresh: 'ref-0', answer: () => unauthorised, grant: (_, time) => fresh('tok-1', time) })
  expect(login.passNow('demo')).toEqual({ access: 'tok-0', base: `${url}/demo/v1`, expiresAt: timing.now() + minute })
  timing.pass(2 * minute)
  expect(login.passNow('live')).toBeNull()
  expect(await login.pass('live', never)).toMatchObject({ ok: true, value: { access: 'tok-1', base: `${url}/live/v1` } })
  expect(login.passNow('live')?.access).toBe('tok-1')
})

test('a refused pass is replaced by one renewal for all callers, and by none if that has happened since', async () => {
  const { login, seen } = await loginStage({ answer: (one) => (isRenewal(one) ? { json: { accessToken: `tok-${String(seen.length)}` } } : { json: [] }) })
  const refused = login.passNow('demo')
  if (refused === null) throw new Error('No pass')
  const others = await Promise.all([1, 2, 3].map(() => login.passInsteadOf(refused, 'demo', never)))
  expect(others.map((other) => other.ok && other.value.access)).toEqual(['tok-1', 'tok-1', 'tok-1'])
  expect(await login.passInsteadOf(refused, 'demo', never)).toMatchObject({ ok: true, value: { access: 'tok-1' } })
  expect(seen.filter(isRenewal)).toHaveLength(1)
})

test('a login that is refused for good has no pass', async () => {
  const { login } = await loginStage({ livesFor: -minute, refresh: 'ref-0', answer: () => unauthorised })
  expect(await login.pass('demo', never)).toMatchObject({ ok: false, error: { kind: 'login-needed' } })
})
