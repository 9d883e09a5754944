import { describe, expect, it } from 'vitest'
import { guessLabels, type LabelGuess, type ToLabel } from './guess-labels.ts'

const account = (name: string, more: Partial<ToLabel> = {}): ToLabel => ({ id: name, name, environment: 'demo', loginId: 'l', loginName: 'nina.keller', ...more })
const guess = (name: string, more: Partial<ToLabel> = {}): LabelGuess | undefined => guessLabels([account(name, more)], []).get(name)

const [evaluation, funded, own] = ['Evaluation Account', 'Funded Account', 'own'] as const

describe('an account name tells its firm and phase as the firm writes them', () => {
  it.each<[string, LabelGuess['firm'], LabelGuess['kind']]>([
    ['APEX-123456-01', 'Apex Trader Funding', evaluation],
    ['APEX2926700000001', 'Apex Trader Funding', evaluation],
    ['APEX_265995', 'Apex Trader Funding', evaluation],
    ['PA-APEX-88121-07', 'Apex Trader Funding', funded],
    ['PAAPEX1361890000007', 'Apex Trader Funding', funded],
    ['pa-apex-88121-07', 'Apex Trader Funding', funded],
    ['MFFUEVRPD122274045', 'MyFundedFutures', evaluation],
    ['MFFUEVSTP326057008', 'MyFundedFutures', evaluation],
    ['MFFUSFFLX606768002', 'MyFundedFutures', funded],
    ['MFFUSFCR72334300', 'MyFundedFutures', funded],
    ['MFF 1', 'MyFundedFutures', undefined],
    ['MyFundedFutures 50K Eval', 'MyFundedFutures', evaluation],
    ['MY FUNDED FUTURES 50K', 'MyFundedFutures', undefined],
    ['TAKEPROFIT152524137', 'Take Profit Trader', evaluation],
    ['TAKEPROFITPRO718789', 'Take Profit Trader', funded],
    ['TPT-PRO-50K-3', 'Take Profit Trader', funded],
    ['TPT50K8812', 'Take Profit Trader', undefined],
    ['TDFYSL150239294520', 'Tradeify', evaluation],
    ['TDFYG50488642119', 'Tradeify', evaluation],
    ['FTDFYSLX50676373980', 'Tradeify', funded],
    ['Tradeify funded 2', 'Tradeify', funded],
    ['AFADVEV25858', 'Alpha Futures', evaluation],
    ['Alpha Futures 50K funded', 'Alpha Futures', funded],
    ['ALPHA-50K-1', 'Alpha Futures', undefined],
    ['TOPONE-25K-3', 'Top One Futures', undefined],
    ['TOP ONE EVAL 25K', 'Top One Futures', evaluation],
    ['FTPROPLUS638725410957', 'Funding Ticks', evaluation],
    ['FTPROPLUSM126837594101', 'Funding Ticks', funded],
    ['FNFTCHMOTITAPIRO67510', 'Funded Next Futures', evaluation],
    ['FNFTFACHRISREAM4912', 'Funded Next Futures', funded],
    ['FUNDEDNEXT-150K-9', 'Funded Next Futures', undefined],
    ['FUNDED NEXT 150K FUNDED', 'Funded Next Futures', funded],
    ['AQUA-EVAL-50K-7', 'Aqua Futures', evaluation],
    ['50KTC-V2-440809-12345', 'Topstep', evaluation],
    ['150KTC-V2-551001-19064435', 'Topstep', evaluation],
    ['EXPRESS-V2-CT-12345-678', 'Topstep', funded],
    ['PRAC-V2-440809-55555', 'Topstep', undefined],
    ['LFE05062645440040', 'Lucid Trading', evaluation],
    ['LFF05062645440008', 'Lucid Trading', funded],
    ['LUCID-50K-2', 'Lucid Trading', undefined],
    ['BX000642-001', 'Bulenox', undefined],
  ])('%s', (name, firm, kind) => { expect(guess(name)).toEqual({ ...(firm && { firm }), ...(kind && { kind }) }) })
})

describe('a name of no known firm', () => {
  it.each<[string, LabelGuess]>([
    ['NGF-EVAL50K-104233', { kind: evaluation }],
    ['NGF-FUNDED50K-20918', { kind: funded }],
    ['PA-50K-12', { kind: funded }],
    ['50K CHALLENGE 4', { kind: evaluation }],
    ['FUNDED-CHALLENGE-50K', { kind: evaluation }],
    ['KELLER-LIVE-2', {}],
    ['PAUL-1', {}],
    ['REVALUE-9', {}],
    ['Applied Alphabet', {}],
    ['A2716504', {}],
    ['', {}],
  ])('guesses at most the phase: "%s"', (name, expected) => { expect(guess(name)).toEqual(expected) })
})

describe('numbered accounts', () => {
  it('are the trader’s own where live, or simulated by Tradovate itself', () => {
    expect(guess('7001251', { environment: 'live' })).toEqual({ kind: own })
    expect(guess('DEMO7001250')).toEqual({ kind: own })
    expect(guess('7001251')).toEqual({})
  })
  it('are funded where a firm’s login has them live', () => {
    expect(guess('7001251', { environment: 'live', loginName: 'APEX_136189' })).toEqual({ kind: funded, firm: 'Apex Trader Funding' })
  })
})

describe('the login', () => {
  it('tells the firm that the name of the account does not', () => {
    expect(guess('50K-1', { loginName: 'FNFTMOTITAPWnBks' })).toEqual({ firm: 'Funded Next Futures' })
  })
  it('counts less than the name of the account', () => {
    expect(guess('TDFYG50488642119', { loginName: 'APEX_136189' })?.firm).toBe('Tradeify')
  })
  it('gives its accounts the firm of the others, waiting or labeled', () => {
    const waiting = [account('50K-1'), account('APEX-1-01'), account('EVAL-2', { loginId: 'm' })]
    const guesses = guessLabels(waiting, [{ loginId: 'm', firm: 'Tradeify' }, { loginId: 'm', firm: null }])
    expect(guesses.get('50K-1')).toEqual({ firm: 'Apex Trader Funding' })
    expect(guesses.get('EVAL-2')).toEqual({ firm: 'Tradeify', kind: evaluation })
  })
  it('tells nothing where its accounts are of two firms, or no login reaches them', () => {
    const labeled = [{ loginId: 'l', firm: 'Tradeify' }, { loginId: 'l', firm: 'Other' }, { loginId: '', firm: 'Tradeify' }] as const
    const guesses = guessLabels([account('50K-1'), account('50K-2', { loginId: '' })], labeled)
    expect([...guesses.values()]).toEqual([{}, {}])
  })
})
