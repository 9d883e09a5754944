import { group, rule } from '#tests/helpers/copier-live.ts'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import { copierRoutes } from '#shared/api/copier.ts'
import { expect, test } from 'vitest'
import { candidatesOf, mayLead } from './candidates.ts'

const account = (id: string, loginId = 'l'): ConnectedAccount => ({
  id, name: id, environment: 'demo', loginId, loginName: 'ava', balance: '0', currency: 'USD', balanceAt: null, firm: null, copyOf: null,
  sync: { state: 'good', lastGoodAt: null, nextTryAt: null }, fills: 0,
})
const [one, two, three] = ['tradovate:demo:1', 'tradovate:demo:2', 'tradovate:live:3'] as const

test('accounts without a login here are none', () => {
  expect(candidatesOf([account(one), account(two, ''), account('file:x', '')], [], null).map(({ account: { id } }) => id)).toEqual([one])
})

test('an account of another broker is listed last with its platform, leads nothing, and no group is saved with it', () => {
  const topstepx = 'topstepx:demo:8734'
  const candidates = candidatesOf([account(topstepx), account(one)], [], null)
  expect(candidates.map(({ account: { id }, foreign }) => [id, foreign])).toEqual([[one, null], [topstepx, 'TopstepX']])
  expect(candidates.map(mayLead)).toEqual([true, false])
  const { id: _id, ...draft } = group('g', one, [rule(two)])
  const isTaken = (changed: object): boolean => copierRoutes.saveGroup.body.safeParse({ id: null, draft: { ...draft, ...changed } }).success
  expect([{}, { leader: topstepx }, { followers: [{ ...rule(two), account: topstepx }] }].map(isTaken)).toEqual([true, false, false])
})

test('an account of another group says so, one of the edited group does not', () => {
  const groups = [group('g', one, [rule(two)])]
  expect(candidatesOf([account(one), account(two), account(three)], groups, null).map(({ takenBy }) => takenBy)).toEqual([{ as: 'leader', group: 'g' }, { as: 'follower', group: 'g' }, null])
  expect(candidatesOf([account(one), account(two)], groups, 'g').map(({ takenBy }) => takenBy)).toEqual([null, null])
})

test('a follower cannot lead', () => {
  const [leads, follows] = candidatesOf([account(one), account(two)], [group('g', one, [rule(two)])], null)
  expect([leads, follows].map((candidate) => candidate && mayLead(candidate))).toEqual([true, false])
})
