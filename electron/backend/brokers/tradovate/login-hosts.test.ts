// @module-tag slow
import { expect, test } from 'vitest'
import { freePort } from '#tests/helpers/free-port.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import { fills, fresh, isRenewal, loginStage, minute, never } from '#tests/helpers/login-stage.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { openLogin } from './login.ts'

test('a stale host is detected by renewing, the read goes to the right one, and the host is saved with the tokens, even if a later answer omits it', async () => {
  const moved = await serveLoopback(() => ({ json: [1] }))
  const answers = [{ json: { accessToken: 'tok-1', apiHosts: { demo: new URL(moved.url).host, reportingDemo: 'rpt.example' } } }]
  const { login, seen, saved, timing } = await loginStage({
    refresh: 'ref-0',
    grant: (_, time) => fresh('tok-2', time),
    answer: (one) => (isRenewal(one) ? (answers.shift() ?? { json: { accessToken: 'tok-3' } }) : { status: 307, headers: { location: 'http://elsewhere.example/' } }),
  })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [1] })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [1] })
  expect([seen, moved.seen].map((all) => all.map(({ path }) => path))).toEqual([['/demo/v1/fill/list', '/live/v1/auth/renewaccesstoken'], ['/demo/v1/fill/list', '/demo/v1/fill/list']])
  // The refresh grant names nothing.
  await timing.sleep(90 * minute)
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [1] })
  const named = { demo: new URL(moved.url).host, reportingDemo: 'rpt.example' }
  expect(saved.map(({ access, hosts }) => [access, hosts])).toEqual([['tok-1', named], ['tok-2', named]])
})

test('a reporting host that says 404 and nothing more leads to one renewal and one more try, and is asked plainly from then on', async () => {
  const report = { environment: 'demo', service: 'reports', path: '/reports/requestReport', body: {} } as const
  const moved = await serveLoopback(() => ({ json: { data: {} } }))
  let names = true
  const { login, seen } = await loginStage({ answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1', ...(names ? { apiHosts: { reportingDemo: new URL(moved.url).host } } : {}) } } : { status: 404 }) })
  expect(await login.read(report, never)).toEqual({ ok: true, value: { data: {} } })
  names = false
  const none = await loginStage({ answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1' } } : { status: 404 }) })
  for (let times = 0; times < 2; times += 1) expect(await none.login.read(report, never)).toEqual({ ok: false, error: { kind: 'not-found' } })
  expect([seen.filter(isRenewal).length, none.seen.filter(isRenewal).length]).toEqual([1, 1])
})

test('prices of each side have a pass to their own host, once it is named', async () => {
  const { login, url } = await loginStage({ answer: () => ({ json: { accessToken: 'tok-1', apiHosts: { mdDemo: 'md-demo.example' } } }) })
  const refused = await login.pass('demo', never, 'quotes')
  if (!refused.ok) throw new Error(refused.error.kind)
  expect(refused.value.base).toBe(`${url}/md/v1`)
  expect(await login.passInsteadOf(refused.value, 'demo', never, 'quotes')).toMatchObject({ ok: true, value: { access: 'tok-1', base: 'http://md-demo.example/md/v1' } })
  expect(await login.pass('live', never, 'quotes')).toMatchObject({ ok: true, value: { base: `${url}/md/v1` } })
})

test('reports of real accounts are asked of their own host once it is named, and those of simulated ones of theirs', async () => {
  const moved = await serveLoopback(() => ({ json: {} }))
  const { login, seen } = await loginStage({ answer: () => ({ json: {} }), hosts: { reportingLive: new URL(moved.url).host } })
  for (const environment of ['live', 'demo'] as const) await login.read({ environment, service: 'reports', path: '/reports/requestReport' }, never)
  expect([moved, { seen }].map((all) => all.seen.map(({ path }) => path))).toEqual([['/rpt-live/v1/reports/requestReport'], ['/rpt/v1/reports/requestReport']])
})

const refusing = async (): Promise<string> => `127.0.0.1:${String(await freePort())}`

test.each([['refuses connections', refusing], ['has no address', () => Promise.resolve('demo-7.invalid')]])('a saved host that %s is replaced by the default one of its purpose, for this run, and the tokens are renewed', async (_, gone) => {
  const hosts = { live: await gone(), demo: await gone(), mdDemo: await gone() }
  const { login, seen, saved, url } = await loginStage({ hosts, answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1' } } : { json: [1] }) })
  for (let times = 0; times < 2; times += 1) expect(await login.read(fills, never)).toEqual({ ok: true, value: [1] })
  expect(seen.filter(({ bearer }) => bearer !== null).map(({ path }) => path)).toEqual(['/live/v1/auth/renewaccesstoken', '/demo/v1/fill/list', '/demo/v1/fill/list'])
  expect(saved).toMatchObject([{ access: 'tok-1', hosts }])
  await login.checkHost('demo', never, 'quotes')
  expect(login.passNow('demo', 'quotes')?.base).toBe(`${url}/md/v1`)
})

test('a renewal that names another host in place of the dead one is followed', async () => {
  const moved = await serveLoopback(() => ({ json: [2] }))
  const { login, saved } = await loginStage({ hosts: { demo: await refusing() }, answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1', apiHosts: { demo: new URL(moved.url).host } } } : { json: [1] }) })
  expect(await login.read(fills, never)).toEqual({ ok: true, value: [2] })
  expect(saved).toMatchObject([{ hosts: { demo: new URL(moved.url).host } }])
})

test('if the default host does not work either, the dead one is retried', async () => {
  const demo = await refusing()
  const { login, timing, seen } = await loginStage({ hosts: { demo }, answer: (one) => (isRenewal(one) ? { json: { accessToken: 'tok-1' } } : { status: 421 }) })
  expect(await login.read(fills, never)).toEqual({ ok: false, error: { kind: 'wrong-host' } })
  expect(login.passNow('demo')?.base).toBe(`http://${demo}/demo/v1`)
  expect(await login.read(fills, never)).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
  timing.pass(minute)
  expect(await login.read(fills, never)).toMatchObject({ ok: false, error: { kind: 'wrong-host' } })
  expect(seen.filter(isRenewal)).toHaveLength(2)
})

test('without a network no host is left, and nothing is renewed', async () => {
  const timing = testTiming()
  const [usual, demo] = [`http://${await refusing()}`, await refusing()]
  const login = openLogin({
    tokens: { access: 'tok-0', accessExpiresAt: timing.now() + 80 * minute, obtainedAt: timing.now(), hosts: { demo } },
    hosts: { authorize: usual, token: [usual, usual], live: `${usual}/live/v1`, demo: `${usual}/demo/v1` },
    timing,
    refresh: () => Promise.reject(new Error('nothing is to be renewed')),
    saveTokens: () => Promise.reject(new Error('nothing is to be saved')),
  })
  expect(await login.read(fills, never)).toMatchObject({ ok: false, error: { kind: 'unreachable', cause: 'network' } })
  expect(login.passNow('demo')?.base).toBe(`http://${demo}/demo/v1`)
})

test('a host that stays wrong is named', async () => {
  const { login } = await loginStage({ answer: (seen) => (isRenewal(seen) ? { json: { accessToken: 'tok-1' } } : { status: 421 }) })
  expect(await login.read(fills, never)).toEqual({ ok: false, error: { kind: 'wrong-host' } })
})
