import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { bookCsvLine, booksCsvHeader, type CsvEntry } from './csv-books.ts'

const entry: CsvEntry = {
  id: 'e-1', userId: 'u', type: 'expense', amount: 80.5, date: '2026-02-13', name: 'Reset', balance: 0, currency: 'USD', platform: 'Tradovate', firm: 'Tradeify',
  category: 'reset', account: 'tradovate:demo:1', note: 'second "try", the last', accountName: 'EVAL-1',
}
const readBack = (changes: Partial<CsvEntry>): Record<string, string> | undefined => parse<Record<string, string>>(booksCsvHeader + bookCsvLine({ ...entry, ...changes }), { columns: true })[0]

describe('entries as CSV', () => {
  it('list an expense, with a negative net', () => {
    expect(readBack({})).toEqual({
      Date: '2026-02-13', Type: 'expense', Category: 'reset', Description: 'Reset', Earned: '', Spent: '80.50', Net: '-80.50', Currency: 'USD',
      Firm: 'Tradeify', Account: 'EVAL-1', 'Account id': 'tradovate:demo:1', Note: 'second "try", the last', 'Entry id': 'e-1',
    })
  })

  it('list an earning, and leave unknown cells empty', () => {
    expect(readBack({ type: 'earning', category: 'payout', amount: 1_500, firm: null, account: null, accountName: '', note: '' })).toMatchObject({ Earned: '1500.00', Spent: '', Net: '1500.00', Firm: '', Account: '', 'Account id': '' })
    expect(readBack({ amount: 0 })?.['Net']).toBe('0.00')
  })

  it('escape formulas in the user’s text', () => {
    const evil = '=HYPERLINK("http://x")'
    const read = readBack({ name: evil, note: evil, account: evil, accountName: evil, id: evil })
    for (const column of ['Description', 'Note', 'Account', 'Account id', 'Entry id']) expect(read?.[column]).toBe(`'${evil}`)
  })
})
