import { expect, test } from 'vitest'
import { planRun, type KnownLogin } from './plan.ts'

const login = (id: string, rest: Partial<KnownLogin> = {}): KnownLogin => ({ id, name: `name of ${id}`, expired: false, accounts: [], ...rest })
const on = (environment: 'demo' | 'live', removed = false): KnownLogin['accounts'][number] => ({ environment, removed })
const asked = (logins: KnownLogin[], trigger: Parameters<typeof planRun>[1]): string[] =>
  planRun(logins, trigger).parts.map((part) => `${part.loginId}@${part.environment}`)

test('a login of which nothing is known yet is asked on both sides', () => {
  expect(asked([login('a')], 'schedule')).toEqual(['a@demo', 'a@live'])
})

test('a pull asks where there are accounts; a request of the user asks everywhere', () => {
  const logins = [login('a', { accounts: [on('demo')] }), login('b', { accounts: [on('live'), on('demo')] })]
  expect(asked(logins, 'schedule')).toEqual(['a@demo', 'b@demo', 'b@live'])
  expect(asked(logins, 'manual')).toEqual(['a@demo', 'a@live', 'b@demo', 'b@live'])
})

test('a login whose accounts were all removed is left out, and so is a side where all were', () => {
  const logins = [login('a', { accounts: [on('demo', true), on('live', true)] }), login('b', { accounts: [on('demo', true), on('live')] })]
  expect(asked(logins, 'daily')).toEqual(['b@demo', 'b@live'])
  expect(asked(logins, 'schedule')).toEqual(['b@live'])
})

test('an expired login is named and not asked; the others go on', () => {
  const plan = planRun([login('a', { expired: true, accounts: [on('demo')] }), login('b')], 'manual')
  expect(plan.expired).toEqual([{ id: 'a', name: 'name of a' }])
  expect(plan.parts.map((part) => part.loginId)).toEqual(['b', 'b'])
})

test('an expired login without accounts left is not worth a word', () => {
  expect(planRun([login('a', { expired: true, accounts: [on('demo', true)] })], 'manual')).toEqual({ parts: [], expired: [] })
})
