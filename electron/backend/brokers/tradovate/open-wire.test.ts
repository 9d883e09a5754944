import { expect, test } from 'vitest'
import { readFrame, writeFrame } from './open-wire.ts'

test('the first frame opens, and a heartbeat has no messages', () => {
  expect(readFrame('o')).toEqual({ kind: 'open' })
  expect(readFrame('h')).toEqual({ kind: 'heartbeat' })
})

test('one frame holds answers and events in their order', () => {
  expect(readFrame('a[{"s":200,"i":2,"d":{"users":[]}},{"e":"props","d":{"entityType":"fill"}},{"s":429,"i":3}]')).toEqual({
    kind: 'messages',
    messages: [
      { kind: 'answer', id: 2, status: 200, data: { users: [] } },
      { kind: 'event', name: 'props', data: { entityType: 'fill' } },
      { kind: 'answer', id: 3, status: 429, data: undefined },
    ],
  })
})

test('a message of unknown shape does not affect the others', () => {
  expect(readFrame('a[17,{"x":1},"{\\"e\\":\\"clock\\"}",{"s":200,"i":0}]')).toEqual({
    kind: 'messages',
    messages: [
      { kind: 'event', name: 'clock', data: undefined },
      { kind: 'answer', id: 0, status: 200, data: undefined },
    ],
  })
})

test('the server closes with a code and a reason', () => {
  expect(readFrame('c[3000,"Go away!"]')).toEqual({ kind: 'close', code: 3000, reason: 'Go away!' })
  expect(readFrame('c')).toEqual({ kind: 'close', code: 0, reason: '' })
})

test.each(['', 'x[]', 'a{"s":200}', 'a[{', '[]'])('%j is unreadable', (text) => {
  expect(readFrame(text)).toEqual({ kind: 'unreadable' })
})

test('a request has four lines, whatever it leaves out', () => {
  expect(writeFrame('authorize', 0, 'tok-AAAA')).toBe('authorize\n0\n\ntok-AAAA')
})
