import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientOrderId, groupMark, isOurs, readClientOrderId, type OrderCause } from './client-order-id.ts'

describe('the client order id', () => {
  it('names group, cause, account and attempt', () => {
    const of = { groupId: '01936f2c-aaaa-7bbb', accountId: 700_101 }
    expect(clientOrderId({ ...of, cause: { kind: 'fill', id: 600_000_000_150 }, attempt: 0 })).toBe('fb-aaaa7bbb-f7nmwib2u-f079-0')
    expect(clientOrderId({ ...of, cause: { kind: 'event', seq: 35 }, attempt: 2 })).toBe('fb-aaaa7bbb-rz-f079-2')
    expect([groupMark('A-b'), groupMark('')]).toEqual(['000000ab', '00000000'])
  })

  it.each(['', 'fb-', 'mine', 'fb-01936f2c-f1-f07p', 'fb-01936f2c-x1-f07p-0', 'FB-01936f2c-f1-f07p-0', 'fb-01936f2c-f1-f07p-0 ', 'fb-0193-f1-f07p-0', 'fb-01936f2c-fzzzzzzzzzzz-1-0'])('is not %j', (other) => {
    expect(readClientOrderId(other)).toBeNull()
  })

  it('is recognized by its format', () => {
    expect([isOurs(null), isOurs('fb-01936f2c-f1-f07p-0'), isOurs('theirs')]).toEqual([false, true, false])
  })

  it('rejects values that are not whole numbers', () => {
    expect(() => clientOrderId({ groupId: 'g', cause: { kind: 'fill', id: 1.5 }, accountId: 1, attempt: 0 })).toThrow(RangeError)
    expect(() => clientOrderId({ groupId: 'g', cause: { kind: 'fill', id: 1 }, accountId: 1, attempt: -1 })).toThrow(RangeError)
  })

  it('round-trips within 64 characters, so no two are the same', () => {
    const whole = fc.maxSafeNat()
    const cause = fc.oneof(fc.record({ kind: fc.constant('fill' as const), id: whole }), fc.record({ kind: fc.constant('event' as const), seq: whole })) as fc.Arbitrary<OrderCause>
    fc.assert(
      fc.property(fc.uuid(), cause, whole, fc.nat(999_999), (groupId, from, accountId, attempt) => {
        const id = clientOrderId({ groupId, cause: from, accountId, attempt })
        expect(id.length).toBeLessThanOrEqual(64)
        expect(readClientOrderId(id)).toEqual({ group: groupMark(groupId), cause: from, accountId, attempt })
      }),
    )
  })
})
