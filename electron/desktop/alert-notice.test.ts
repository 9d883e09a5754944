import { expect, test } from 'vitest'
import { ruleKind } from '#shared/api/rules.ts'
import { noticeOfAlert, noticeOfCopierAlert } from './alert-notice.ts'
import { createWords } from './words.ts'

const words = createWords('en')
const alert = { accountName: 'APEX-7', rule: 'max-loss', level: 80, unit: 'money', left: '1214.61', currency: 'USD' } as const

test.each([
  ['money', {}, 'APEX-7: Drawdown limit', 'At least 80% used, $1,214.61 left.'],
  ['another currency', { currency: 'EUR', left: '7' }, 'APEX-7: Drawdown limit', 'At least 80% used, €7.00 left.'],
  ['one contract', { rule: 'contracts', unit: 'contracts', left: '1' }, 'APEX-7: Max contracts', 'At least 80% used, 1 contract left.'],
  ['tenths of one', { rule: 'contracts', unit: 'contracts', left: '1.5' }, 'APEX-7: Max contracts', 'At least 80% used, 1.5 contracts left.'],
  ['minutes', { rule: 'flat-by', unit: 'minutes', level: 95, left: '3' }, 'APEX-7: Time to be flat', 'At least 95% used, 3 minutes left.'],
  ['days', { rule: 'time-limit', unit: 'days', left: '6' }, 'APEX-7: Time limit', 'At least 80% used, 6 days left.'],
  ['nobody knows what', { left: null }, 'APEX-7: Drawdown limit', 'At least 80% used.'],
  ['the limit itself', { rule: 'daily-loss', level: 100, left: '-12.50' }, 'APEX-7: Daily loss limit', 'Limit reached.'],
] as const)('of %s', (_what, more, title, body) => {
  expect(noticeOfAlert({ ...alert, ...more }, words)).toEqual({ title, body, place: '/dashboard/PositionScanner' })
})

test('every rule has a name', () => {
  expect(ruleKind.options.map((rule) => noticeOfAlert({ ...alert, rule }, words).title).filter((title) => title.includes('notice.'))).toEqual([])
})

test.each([
  [{}, 'NGF-104 is unprotected', 'Its position has no stop at the broker. Fillbook keeps the position and retries: place a stop yourself, or close it.\nThe broker said: Price is out of range'],
  [{ unprotected: 'flatten', brokerText: null }, 'NGF-104 is unprotected', 'Its position has no stop at the broker. Fillbook closes it, as Morning is set.'],
  [{ trouble: 'guard', brokerText: null }, 'NGF-104 is locked', 'Your own trades there broke its limits in Morning. It only reduces until you unlock it.'],
  [{ trouble: 'decision', brokerText: null }, 'NGF-104 needs your decision', 'Fillbook sends nothing for its open positions in Morning until you decide.'],
] as const)('a notice of the copier says which follower, what it means for the money and what to do: %j', (more, title, body) => {
  const copierAlert = { trouble: 'unprotected', groupId: 'g', group: 'Morning', account: 'tradovate:demo:2', accountName: 'NGF-104', unprotected: 'keep', brokerText: 'Price is out of range' } as const
  expect(noticeOfCopierAlert({ ...copierAlert, ...more }, words)).toEqual({ title, body, place: '/dashboard/TradeCopier' })
})
