import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditFaults, exceptions, findingsOf, type Exception, type Finding } from './audit-findings.ts'
import { report } from './audit.ts'

const today = '2026-11-22'
const found: Finding = { advisory: 'GHSA-aaaa-bbbb-cccc', package: 'ws', severity: 'high', title: 'Denial of service', url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc', shipped: true }
const tool: Finding = { ...found, advisory: 'GHSA-dddd-eeee-ffff', package: 'eslint', shipped: false }
const reason = 'Only what a server sends to itself reaches the code that is at fault.'
const excepted: Exception = { advisory: found.advisory, package: 'ws', reason, until: '2026-12-01' }

test('a finding in a shipped package blocks a release at any severity, one in a build tool is only reported', () => {
  expect(auditFaults([], [{ ...found, severity: 'low' }, tool], today)).toEqual(['shipped: ws, low: Denial of service (GHSA-aaaa-bbbb-cccc, https://github.com/advisories/GHSA-aaaa-bbbb-cccc)'])
  expect(report({ ran: true, findings: [tool] }, '[]', today)).toEqual({ lines: ['Audit: clean, but see below (advisories: 0 in what is shipped, 1 in what only builds and tests it)', expect.stringMatching(/^only builds and tests: eslint/)], code: 0 })
  expect(report({ ran: true, findings: [] }, '[]', today)).toMatchObject({ code: 0, lines: [expect.stringMatching(/^Audit: clean \(/)] })
  expect(report({ ran: true, findings: [found] }, '[]', today).code).toBe(1)
})

test('an exception covers one advisory of one package until its date, and only while needed', () => {
  expect(auditFaults([excepted], [found], today)).toEqual([])
  expect(auditFaults([{ ...excepted, package: 'express' }], [found], today)).toHaveLength(2)
  expect(auditFaults([excepted], [found], '2026-12-01')).toEqual([])
  expect(auditFaults([excepted], [found], '2026-12-02')).toEqual([expect.stringContaining('ended on 2026-12-01')])
  expect(auditFaults([excepted], [], today)).toEqual([expect.stringContaining('matches no finding')])
})

test('an audit that was not run is never clean, nor is an exception unneeded by it', () => {
  expect(report({ ran: false, why: '405' }, JSON.stringify([excepted]), today)).toEqual({ lines: ['Audit: not run (405). Nothing is known of what is shipped.'], code: 2 })
  expect(report({ ran: false, why: '405' }, JSON.stringify([excepted]), '2027-01-01').code).toBe(1)
})

test('an exception without a reason, a day or an advisory is refused', () => {
  expect(exceptions(JSON.stringify([excepted]))).toEqual([excepted])
  for (const wrong of [{ reason: 'later' }, { until: 'soon' }, { until: undefined }, { advisory: 'ws' }, { package: '' }, { because: 'x' }]) expect(() => exceptions(JSON.stringify([{ ...excepted, ...wrong }])), JSON.stringify(wrong)).toThrow()
  expect(() => exceptions(readFileSync(new URL('./audit-exceptions.json', import.meta.url), 'utf8'))).not.toThrow()
})

test('only a whole report of npm is one', () => {
  const counts = { vulnerabilities: { total: 1 }, dependencies: { total: 3 } }
  const via = { name: 'ws', title: found.title, url: found.url, severity: 'high' }
  const whole = { auditReportVersion: 2, vulnerabilities: { ws: { via: [via], nodes: ['node_modules/ws'] }, other: { via: ['ws'], nodes: ['node_modules/other'] } }, metadata: counts }
  expect(findingsOf(JSON.stringify(whole), ['ws'])).toEqual([found])
  expect(findingsOf(JSON.stringify(whole), [])).toEqual([{ ...found, shipped: false }])
  for (const wrong of ['', '{}', 'null', '<html>', JSON.stringify({ message: '405', error: {} }), JSON.stringify({ ...whole, auditReportVersion: 1 }), JSON.stringify({ ...whole, metadata: { ...counts, dependencies: { total: 0 } } })]) expect(findingsOf(wrong, ['ws']), wrong).toBeNull()
})
