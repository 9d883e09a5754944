import { describe, expect, it } from 'vitest'
import { messagesFrame, readFrame } from './frames.ts'

describe('a frame', () => {
  it('is a heartbeat', () => {
    expect(readFrame('[]')).toEqual({ kind: 'heartbeat' })
  })

  it('is endpoint, number, query and body, of which the last two may be empty', () => {
    expect(readFrame('account/list\n2\n\n')).toEqual({ kind: 'request', endpoint: 'account/list', id: 2, query: '', body: '' })
    expect(readFrame('contract/item\n3\nid=7\n')).toMatchObject({ id: 3, query: 'id=7', body: '' })
    expect(readFrame('order/placeorder\n4\n\n{"a":\n1}')).toMatchObject({ id: 4, query: '', body: '{"a":\n1}' })
  })

  it.each(['account/list\n2\n', 'account/list\nx\n\n', '/account/list\n2\n\n', '\n2\n\n', 'account/list\n\n\n', '[1]', ''])('is not %j', (frame) => {
    expect(readFrame(frame)).toBeNull()
  })

  it('carries several messages', () => {
    expect(messagesFrame([{ s: 200, i: 0 }, { e: 'props', d: {} }])).toBe('a[{"s":200,"i":0},{"e":"props","d":{}}]')
  })
})
