import { describe, expect, it } from 'vitest'
import { familyOf, followerContract, isCopiedTo, partsOf, samePrices } from './contract-match.ts'
import { sidesOf } from './hedge.ts'

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
    ['is the leader’s without a mapping', 'ESH7', { contract: 'ESH7', product: 'ES', factor: one }],
    ['is null if the product is not copied', 'CLZ6', null],
    ['is null if only the mapping’s target is listed: products are the leader’s', 'MNQZ6', null],
  ])('%s', (_name, leader, match) => {
    expect(followerContract(leader, rule)).toEqual(match)
  })

  it('is any contract when all products are copied', () => {
    expect(followerContract('CLZ6', { ...rule, products: null })?.contract).toBe('CLZ6')
    expect(followerContract('CLZ6', { ...rule, products: [] })).toBeNull()
  })
})

describe('a calendar spread', () => {
  it('of a mapped product is not copied: one of NQ is ten of MNQ', () => {
    expect(followerContract('NQZ6-NQH7', { ...rule, products: null })).toBeNull()
    expect(followerContract('ESZ6-NQZ6', { ...rule, products: null })).toBeNull()
    expect(isCopiedTo('NQZ6-NQH7', { ...rule, products: null })).toBe(false)
  })

  it('of other products is copied as it is', () => {
    expect(followerContract('ESZ6-ESH7', { ...rule, products: null })).toMatchObject({ contract: 'ESZ6-ESH7', factor: one })
  })
})

describe('a contract that a follower may trade', () => {
  it.each([['MNQZ6', true], ['NQZ6', false], ['ESH7', true], ['CLZ6', false]])('%s: %s', (contract, isOne) => {
    expect(isCopiedTo(contract, rule)).toBe(isOne)
  })

  it('excludes contracts mapped only from a product that is not copied', () => {
    expect(isCopiedTo('MNQZ6', { ...rule, products: ['ES'] })).toBe(false)
    expect(isCopiedTo('MNQZ6', { ...rule, products: null })).toBe(true)
  })
})

describe('a family', () => {
  it.each([
    ['MNQZ6', 'NQ'], ['MNQ', 'NQ'], ['NQ', 'NQ'], ['M2KZ6', 'RTY'], ['QMF7', 'CL'], ['FDXSZ6', 'FDAX'], ['M6EZ6', '6E'], ['METZ6', 'ETH'], ['MESZ6', 'ES'], ['ZNZ6', 'ZN'], ['XYZ', 'XYZ'],
  ])('of %s is %s', (name, family) => {
    expect(familyOf(name)).toBe(family)
  })

  it('shares prices when tick sizes are equal', () => {
    const product = (name: string, tickSize: string) => ({ product: name, tickSize })
    expect(samePrices(product('NQ', '0.25'), product('MNQ', '0.250'))).toBe(true)
    expect(samePrices(product('CL', '0.01'), product('QM', '0.025'))).toBe(false)
    expect(samePrices(product('NQ', '0.25'), product('MES', '0.25'))).toBe(false)
    expect(samePrices(product('CL', '0.01'), product('CL', '0.01'))).toBe(true)
  })
})

describe('a hedge', () => {
  const is = (account: string, contract: string, low: number, high = low) => ({ account, contract, low, high })
  const sides = sidesOf([is('b', 'MNQH7', -1), is('c', 'ESZ6', 2), is('d', 'CLZ6', 0), is('e', 'GCZ6', -1, 2)])
  const hedge = (contract: string, sign: number, leftOut = 'a') => sides.against(contract, sign, (account) => account === leftOut)
  it.each([
    ['is the opposite side in the same family, whatever the month', hedge('NQZ6', 1), { account: 'b', product: 'NQ' }],
    ['is none on the same side', hedge('NQZ6', -1), null],
    ['is none where nothing is left', hedge('NQZ6', 0), null],
    ['is none in another family', hedge('CLZ6', -1), null],
    ['is none in the account itself', hedge('NQZ6', 1, 'b'), null],
    ['is seen from the short side', hedge('MESZ6', -1), { account: 'c', product: 'ES' }],
    ['includes the long that a closing order may leave', hedge('GCZ6', -1), { account: 'e', product: 'GC' }],
    ['includes the short that a pending order may open', hedge('GCZ6', 1), { account: 'e', product: 'GC' }],
  ])('%s', (_name, got, wanted) => {
    expect(got).toEqual(wanted)
  })

  it('is seen for an order decided in the same tick', () => {
    const now = sidesOf([])
    now.add(is('b', 'NQZ6', 0, 1))
    expect(now.against('MNQZ6', -1, () => false)).toEqual({ account: 'b', product: 'NQ' })
  })
})
