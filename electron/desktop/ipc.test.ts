import { expect, test } from 'vitest'
import { isOwnPage } from './ipc.ts'

const origin = 'http://127.0.0.1:47615'
const window = { name: 'the window' }
const page = { contents: () => window, origin }
const frame = { origin, parent: null }

test('the app’s own page in its window is accepted', () => {
  expect(isOwnPage({ sender: window, senderFrame: frame }, page)).toBe(true)
})

test.each([
  ['a brokerage’s page in the same window', { sender: window, senderFrame: { ...frame, origin: 'https://trader.tradovate.com' } }],
  ['another program on this computer', { sender: window, senderFrame: { ...frame, origin: 'http://127.0.0.1:47616' } }],
  ['a page without an origin', { sender: window, senderFrame: { ...frame, origin: 'null' } }],
  ['a frame in the app’s page', { sender: window, senderFrame: { ...frame, parent: frame } }],
  ['another window, though its page is the app’s', { sender: { name: 'the window' }, senderFrame: frame }],
  ['a frame that is gone', { sender: window, senderFrame: null }],
])('%s may not', (_who, sent) => {
  expect(isOwnPage(sent, page)).toBe(false)
})

test('without a window every sender is refused', () => {
  expect(isOwnPage({ sender: null, senderFrame: frame }, { contents: () => null, origin })).toBe(false)
  expect(isOwnPage({ sender: undefined, senderFrame: frame }, { contents: () => null, origin })).toBe(false)
})
