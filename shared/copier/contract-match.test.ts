import { describe, expect, it } from 'vitest'
import { familyOf, followerContract, partsOf, samePrices } from './contract-match.ts'
import { hedgeOf } from './hedge.ts'

const ten = { num: 10, den: 1 }
const one = { num: 1, den: 1 }
const rule = { products: ['NQ', 'ES', '6E'], mappings: [{ from: 'NQ', to: 'MNQ', factor: ten }] }

describe('a contract’s name', () => {
  it.each([
    ['MNQZ6', 'MNQ', 'Z6'], ['6EM6', '6E', 'M6'], ['M2KH27', 'M2K', 'H27'], ['NGQ6', 'NG', 'Q6'], ['MNQ', 'MNQ', ''], ['M2K', 'M2K', ''],
  ])('%s is %s of %s', (name, product, month) => {
    expect(partsOf(name)).toEqual({ product, month })
  })
})

describe('the follower’s contract', () => {
  it.each([
    ['is the mapped product of the same month', 'NQZ6', { contract: 'MNQZ6', product: 'MNQ', factor: ten }],
    ['is the leader’s where nothing is mapped', 'ESH7', { contract: 'ESH7', product: 'ES', factor: one }],
    ['is none where the product is not copied', 'CLZ6', null],
    ['is none where only the mapping’s target is named, for products are the leader’s', 'MNQZ6', null],
  ])('%s', (_name, leader, match) => {
    expect(followerContract(leader, rule)).toEqual(match)
  })

  it('is any where all products are copied', () => {
    expect(followerContract('CLZ6', { ...rule, products: null })?.contract).toBe('CLZ6')
    expect(followerContract('CLZ6', { ...rule, products: [] })).toBeNull()
  })
})

describe('a family', () => {
  it.each([
    ['MNQZ6', 'NQ'], ['MNQ', 'NQ'], ['NQ', 'NQ'], ['M2KZ6', 'RTY'], ['QMF7', 'CL'], ['FDXSZ6', 'FDAX'], ['M6EZ6', '6E'], ['METZ6', 'ETH'], ['MESZ6', 'ES'], ['ZNZ6', 'ZN'], ['XYZ', 'XYZ'],
  ])('of %s is %s', (name, family) => {
    expect(familyOf(name)).toBe(family)
  })

  it('shares its prices where ticks are of one size', () => {
    const product = (name: string, tickSize: string) => ({ product: name, tickSize })
    expect(samePrices(product('NQ', '0.25'), product('MNQ', '0.250'))).toBe(true)
    expect(samePrices(product('CL', '0.01'), product('QM', '0.025'))).toBe(false)
    expect(samePrices(product('NQ', '0.25'), product('MES', '0.25'))).toBe(false)
    expect(samePrices(product('CL', '0.01'), product('CL', '0.01'))).toBe(true)
  })
})

describe('a hedge', () => {
  const holdings = [{ account: 'b', contract: 'MNQH7', net: -1 }, { account: 'c', contract: 'ESZ6', net: 2 }, { account: 'd', contract: 'CLZ6', net: 0 }]
  const hedge = (contract: string, after: number, account = 'a', together: readonly string[] = []) => hedgeOf({ account, contract, after }, holdings, new Set(together))
  it.each([
    ['is the other side in the same family, whatever the month', hedge('NQZ6', 1), { account: 'b', product: 'NQ' }],
    ['is none on the same side', hedge('NQZ6', -1), null],
    ['is none where nothing is left', hedge('NQZ6', 0), null],
    ['is none in another family', hedge('CLZ6', -1), null],
    ['is none in the account itself', hedge('NQZ6', 1, 'b'), null],
    ['is none between followers of one group', hedge('NQZ6', 1, 'a', ['b']), null],
    ['is seen from the short side', hedge('MESZ6', -1), { account: 'c', product: 'ES' }],
  ])('%s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })
})
