import { describe, expect, it } from 'vitest'
import { contractInFileName, contractKey, contractOfKey, journalContract } from './contract-key.ts'

const [in2026, in2033] = [Date.UTC(2026, 10, 28), Date.UTC(2033, 5, 1)]

describe('a contract of another platform', () => {
  it.each([
    ['MNQ 12-26', in2026, 'MNQZ6'], ['MNQ 12-26', in2033, 'MNQZ6'], ['MNQ DEC26', in2033, 'MNQZ6'], ['MNQZ26', in2033, 'MNQZ6'], ['CME_MINI:ESZ2026', in2026, 'ESZ6'], ['/ESZ26:XCME', in2026, 'ESZ6'], ['ESZ26_FUT_CME', in2026, 'ESZ6'], ['XCME:ES', in2026, null], ['CON.F.US.EP.Z26', in2026, 'ESZ6'], ['CON.F.US.ENQ.H27', in2026, 'NQH7'], ['CON.F.US.EP', in2026, null],
    ['ESZ6', in2026, 'ESZ6'], ['ESZ6', in2033, 'ESZ36'], ['EPZ26', in2026, 'ESZ6'], ['@ESZ26', in2026, 'ESZ6'], ['ESU15', in2026, 'ESU15'], ['ESZ6-ESH7', in2026, null], ['XXXZ26', in2026, null], ['NQ', in2026, null],
  ])('%s at %d is %s in the journal', (name, time, contract) => expect(journalContract(name, time)).toBe(contract))

  it.each([['MNQZ6', 'MNQ 2026-12'], ['ESH2', 'ES 2022-03'], ['ESH1', 'ES 2031-03'], ['ESH32', 'ES 2032-03'], ['ESU15', 'ES 2015-09'], ['ESZ98', 'ES 1998-12'], ['6EH7', '6E 2027-03']])('%s is kept as %s, and comes back', (name, key) => {
    expect([contractKey(name), contractOfKey(key)]).toEqual([key, name])
  })
})

describe('the name of a file', () => {
  it.each([
    ['NQ 12-26.Last.txt', 'NQZ6'], ['ESZ26_FUT_CME.scid', 'ESZ6'], ['ESZ26-CME.scid', 'ESZ6'], ['CME_MINI_MNQZ2026, 1_3a9f1.csv', 'MNQZ6'], ['CME_MINI_DL_MNQZ2026, 5.csv', 'MNQZ6'], ['ES_Z26_1min.txt', 'ESZ6'], ['MNQZ26.txt', 'MNQZ6'], ['ESZ26_unadjusted.csv', 'ESZ6'],
    ['glbx-mdp3-20261005-20261009.ohlcv-1s.csv', null], ['prices.csv', null], ['ES 03-15-2026.txt', null],
  ])('%s has %s', (name, contract) => expect(contractInFileName(name, in2026)).toEqual({ contract, continuous: false }))

  it.each(['NQ ##-##.Last.txt', 'CME_MINI_ES1!, 5.csv', 'ES_full_1min_continuous_UNadjusted.txt', 'ES.v.0.csv', '@NQ.txt', 'ES_adjRTH.txt'])('%s is of a continuous series', (name) => expect(contractInFileName(name, in2026).continuous).toBe(true))
})
