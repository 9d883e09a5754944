import { describe, expect, test } from 'vitest'
import type { AccountKey } from '#shared/fills/fill.ts'
import { account, day, fill, monday, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'
import { expectedFees } from './charged-fees.ts'

const third = 'tradovate:demo:700303' as AccountKey
const expected = (store: TestStore, of: AccountKey, contract: string) => {
  const fee = expectedFees(store.read.knownFees(user))(of, contract)
  return fee && [fee.from, fee.fee, fee.qty]
}
const on = (days: number) => ({ time: monday + days * day })

describe('the commission that a dry run expects', () => {
  test('is what the broker last charged the account for the product, whatever the contract', async () => {
    const store = openStore()
    expect(expected(store, account, 'MESM6')).toBeNull()
    await take(store, fill(1, 'buy', 1, 6700, { contract: 'MESU6', feeText: '0.50' }), fill(2, 'sell', 2, 6700, { feeText: '0.74', ...on(1) }), fill(3, 'buy', 1, 6700, on(2)), fill(4, 'buy', 1, 21_000, { contract: 'MNQM6', feeText: '0.90', ...on(3) }))
    expect(expected(store, account, 'MESU6')).toEqual(['account', 7_400, 2])
  })

  test('is the user’s own rate before any charge', async () => {
    const store = openStore()
    await take(store, fill(1, 'buy', 1, 6700, { feeText: '0.50' }))
    await store.write.setCommission({ ...user, at: monday, of: { scope: 'account', accountId: account }, product: 'MES', perSide: '0.37' })
    expect(expected(store, account, 'MESM6')).toEqual(['own', 3_700, 1])
  })

  test('is another account’s of the same login before one of the same firm, and no other’s', async () => {
    const store = openStore()
    store.write.saveLogin({ ...user, at: monday, id: 'elsewhere', brokerUserId: '9002', name: 'another.user', hosts: null })
    store.write.saveAccounts({ ...user, at: monday, loginId: 'elsewhere', accounts: [{ key: third, environment: 'demo', brokerAccountId: '700303', name: 'EVAL-303' }], reconnect: true })
    await take(store, fill(1, 'buy', 1, 6700, { account: third, feeText: '0.99', ...on(1) }))
    expect(expected(store, other, 'MESM6')).toBeNull()
    for (const id of [third, other]) store.write.addFinance({ ...user, at: monday, finance: { id, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: 'Tradeify' } })
    expect(expected(store, other, 'MESM6')).toEqual(['related', 9_900, 1])
    await take(store, fill(2, 'buy', 1, 6700, { feeText: '0.50' }))
    expect(expected(store, other, 'MESM6')).toEqual(['related', 5_000, 1])
  })
})
