import { expect, it } from 'vitest'
import type { Finding, Measure, ReportFact } from '#shared/api/reports.ts'
import { compareReports } from './compare.ts'

const net = (value: string, currency = 'USD'): Measure => ({ name: 'net', unit: 'money', value, currency })
const fact = (kind: ReportFact['kind'], about: ReportFact['about'], measures: Measure[], finding: string | null = null): ReportFact => ({ id: 'f1', kind, about, finding, measures, trades: 1 })
const finding = (kind: Finding['kind'], about: Finding['about'], more: Partial<Finding> = {}): Finding => ({ key: 'k', kind, about, currency: 'USD', evidence: 'possible', trades: 4, others: 9, net: '10.00', excess: null, chance: null, measures: [], bars: [], barsIn: 'money', ...more })

it('compares totals, groups and findings exactly', () => {
  const was = {
    facts: [fact('total', {}, [net('-0.10'), net('5.00', 'EUR')]), fact('product', { product: 'MES' }, [net('1.00')]), fact('product', { product: 'NQ' }, [net('2.00')]), fact('day', { day: '2026-03-02' }, [net('3.00')]), fact('hour', { hour: 9 }, [net('4.00')], 'k')],
    findings: [finding('hour', { hour: 9 }, { excess: { value: '-5.00', low: '-9.00', high: '-1.00' } }), finding('side', { side: 'long' }), finding('hold', {}, { evidence: 'too-little' })],
  }
  const is = {
    facts: [fact('total', {}, [net('0.205')]), fact('product', { product: 'MES' }, [net('0.25')]), fact('account', { account: 'a' }, [net('7.00')])],
    findings: [finding('hour', { hour: 9 }, { trades: 6, net: '-2.00', excess: { value: '-7.50', low: '-9.00', high: '-6.00' } }), finding('hour', { hour: 10 }), finding('hold', {}, { evidence: 'too-little' })],
  }
  const { total, facts, findings } = compareReports(was, is)
  expect(total).toEqual([
    { name: 'net', unit: 'money', currency: 'USD', was: '-0.10', is: '0.205', difference: '0.305' },
    { name: 'net', unit: 'money', currency: 'EUR', was: '5.00', is: null, difference: null },
  ])
  expect(facts.map(({ kind, about, measures: [first] }) => [kind, about, first?.was, first?.is, first?.difference])).toEqual([
    ['product', { product: 'MES' }, '1.00', '0.25', '-0.75'],
    ['account', { account: 'a' }, null, '7.00', null],
    ['product', { product: 'NQ' }, '2.00', null, null],
  ])
  expect(findings.map(({ change, was: before, is: now }) => [change, (now ?? before)?.kind, (now ?? before)?.about])).toEqual([
    ['stayed', 'hour', { hour: 9 }],
    ['new', 'hour', { hour: 10 }],
    ['gone', 'side', { side: 'long' }],
  ])
  expect(findings[0]?.measures.map(({ name, difference }) => [name, difference])).toEqual([['net', '-12.00'], ['trades', '2'], ['excess', '-2.50']])
  expect(compareReports(is, is).facts.every(({ measures }) => measures.every(({ difference }) => Number(difference) === 0))).toBe(true)
})
