import { expect, test } from 'vitest'
import { productionHosts, socketUrl, withApiHosts } from './hosts.ts'

test("an organisation's own host takes the place of the usual one", () => {
  expect(withApiHosts(productionHosts, { demo: 'demo-7.tradovateapi.com' })).toEqual({ ...productionHosts, demo: 'https://demo-7.tradovateapi.com/v1' })
})

test('a host may come with its scheme and path, but never talks the client out of TLS', () => {
  expect(withApiHosts(productionHosts, { live: 'http://other.tradovateapi.com/v1/' }).live).toBe('https://other.tradovateapi.com/v1')
  expect(withApiHosts(productionHosts, { live: 'other.tradovateapi.com/sim' }).live).toBe('https://other.tradovateapi.com/sim/v1')
})

test('the path of a base stays where only a host is named', () => {
  const hosts = { ...productionHosts, live: 'http://127.0.0.1:4000/live/v1' }
  expect(withApiHosts(hosts, { live: 'localhost:4000' }).live).toBe('http://localhost:4000/live/v1')
})

test('what is no host changes nothing', () => {
  expect(withApiHosts(productionHosts, { live: 'not a host', demo: '' })).toEqual(productionHosts)
})

test('the socket of a side lies below its base, and is as safe', () => {
  expect(socketUrl(productionHosts.demo)).toBe('wss://demo.tradovateapi.com/v1/websocket')
  expect(socketUrl('http://127.0.0.1:4000/demo/v1')).toBe('ws://127.0.0.1:4000/demo/v1/websocket')
})
