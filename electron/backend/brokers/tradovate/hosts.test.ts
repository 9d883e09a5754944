import { expect, test } from 'vitest'
import { apiHosts } from '#shared/sync/api-hosts.ts'
import { productionHosts } from '#tests/helpers/production-hosts.ts'
import { baseAt, socketUrl, withApiHosts } from './hosts.ts'

const hostNames = ['live', 'demo', 'mdLive', 'mdDemo', 'reportingLive', 'reportingDemo'] as const

test("an organization's own host replaces the usual one", () => {
  expect(withApiHosts(productionHosts, { demo: 'demo-7.tradovateapi.com' })).toEqual({ ...productionHosts, demo: 'https://demo-7.tradovateapi.com/v1' })
})

test('each purpose has its own host; none is derived from another', () => {
  const named = { mdLive: 'md-7.example', mdDemo: 'md-demo-7.example', reportingDemo: 'rpt-7.example', reportingLive: 'rpt-live-7.example' }
  expect(withApiHosts(productionHosts, named)).toEqual({ ...productionHosts, quotes: 'https://md-7.example/v1', quotesDemo: 'https://md-demo-7.example/v1', reports: { live: 'https://rpt-live-7.example/v1', demo: 'https://rpt-7.example/v1' } })
  // Changing one does not move another, even if both are usually the same.
  for (const name of hostNames) {
    const moved = withApiHosts(productionHosts, { [name]: 'h.example' })
    expect(hostNames.filter((other) => baseAt(moved, other) !== baseAt(productionHosts, other))).toEqual([name])
  }
})

test('a base’s path stays if only a host is named', () => {
  const hosts = { ...productionHosts, live: 'http://127.0.0.1:4000/live/v1' }
  expect(withApiHosts(hosts, { live: 'localhost:4000' }).live).toBe('http://localhost:4000/live/v1')
})

test('anything but a bare host name of a known purpose is ignored', () => {
  const named = apiHosts.parse({ live: 'http://other.example/v1', demo: 'demo-7.example', mdLive: 'not a host', mdDemo: '', reportingLive: 7, replay: 'r.example:8443', simTrading: 'x' })
  expect(named).toEqual({ demo: 'demo-7.example', replay: 'r.example:8443' })
  expect(withApiHosts(productionHosts, named)).toEqual({ ...productionHosts, demo: 'https://demo-7.example/v1' })
})

test('a side’s socket is below its base, with the same security', () => {
  expect(socketUrl(productionHosts.demo)).toBe('wss://demo.tradovateapi.com/v1/websocket')
  expect(socketUrl('http://127.0.0.1:4000/demo/v1')).toBe('ws://127.0.0.1:4000/demo/v1/websocket')
})
