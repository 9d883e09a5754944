import { expect, test } from 'vitest'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import type { Finance } from '#shared/api/records.ts'
import type { AccountRow } from './account-rows.ts'
import { labeledFinance, labelRows, type LabelRow } from './label-rows.ts'

const finance = (id: string, more: Partial<Finance> = {}): Finance => ({
  id, userId: 'u', type: 'Account', amount: 0, date: '2026-02-13', name: id, balance: 1, currency: 'USD', platform: 'Tradovate', firm: null, category: 'other', account: null, note: '', ...more,
})
const connection = (id: string): ConnectedAccount => ({
  id, name: id, environment: 'demo', loginId: 'l', loginName: 'nk', balance: '1.00', currency: 'USD', balanceAt: null,
  firm: null, copyOf: null, sync: { state: 'never', lastGoodAt: null, nextTryAt: null }, fills: 3,
})
const account = (id: string, more: Partial<Finance> = {}): AccountRow => ({ finance: finance(id, more), connection: connection(id), leader: null, twin: null })
const row = (kind: LabelRow['kind'], firm: LabelRow['firm']): LabelRow => ({ row: account('a'), kind, firm, suggested: { kind: false, firm: false } })

test('a line begins with what the name suggests, and what was chosen wins and is no suggestion any more', () => {
  const waiting = [account('PA-APEX-88121-07'), account('APEX-123456-01')]
  const [first, second] = labelRows(waiting, waiting, new Map([['APEX-123456-01', { firm: 'Other' }]]))
  expect(first).toMatchObject({ kind: 'Funded Account', firm: 'Apex Trader Funding', suggested: { kind: true, firm: true } })
  expect(second).toMatchObject({ kind: 'Evaluation Account', firm: 'Other', suggested: { kind: true, firm: false } })
})

test('accounts of the login that have their label tell the firm of those that wait; an own one tells none', () => {
  const waiting = [account('50K-1')]
  const firmOf = (...labeled: readonly AccountRow[]) => labelRows(waiting, [...waiting, ...labeled], new Map())[0]?.firm
  expect(firmOf(account('b', { type: 'Funded Account', firm: 'Tradeify' }))).toBe('Tradeify')
  expect(firmOf(account('b', { type: 'Funded Account', firm: null }))).toBeUndefined()
})

test('an account without a connection is guessed by its name alone', () => {
  expect(labelRows([{ ...account('MFFUSFCR72334300'), connection: null }], [], new Map())[0]).toMatchObject({ kind: 'Funded Account', firm: 'MyFundedFutures' })
})

test('a line is complete with type and firm; an own account is funded by nobody, whatever firm stood there before', () => {
  expect(labeledFinance(row('Evaluation Account', 'Tradeify'))).toMatchObject({ id: 'a', type: 'Evaluation Account', firm: 'Tradeify', platform: 'Tradovate' })
  expect(labeledFinance(row('own', 'Tradeify'))).toMatchObject({ type: 'Funded Account', firm: null })
  expect([labeledFinance(row('own', undefined)), labeledFinance(row('Funded Account', undefined)), labeledFinance(row(undefined, 'Tradeify'))].map((made) => made !== null)).toEqual([true, false, false])
})
