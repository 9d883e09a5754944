import { expect, test } from 'vitest'
import { createRedactor, redactLine, type Personal } from './personal-data.ts'

const person: Personal = { terms: ['Jane.Trader@Example.org', 'Jürgen Groß', 'PA-7 Main', 'tradovate:live:4711', 'EA'], home: '/Users/jtrader', userName: 'jtrader', dataDir: 'D:\\Jane Books\\Fillbook' }
const clean = createRedactor(person)

test('known user data is removed in any case, encoding, and position', () => {
  for (const text of [
    'jane.trader@example.org', 'jAnE.tRaDeR', 'Pa-7 mAiN', 'JANE.TRADER', 'jane%2Etrader%40example.org', encodeURIComponent(encodeURIComponent('Jane.Trader@Example.org')),
    'Jürgen Groß', 'JÜRGEN GROSS', 'j%C3%BCrgen+gro%C3%9F', 'Ju\u0308rgen Groß', 'jürgen_groß',
    'PA-7 Main', 'pa-7%20main', '?account=PA-7+Main', 'TRADOVATE:LIVE:4711', 'tradovate%3Alive%3A4711', '(EA)',
  ]) expect(clean(`before ${text} after`), text).not.toMatch(/jane|trader|j.{1,2}rgen|gro|pa-7|main|4711|\bEA\b/i)
})

test('a short name does not match inside other words', () => {
  expect(clean('each EASY sea')).toBe('each EASY sea')
})

test('folders of the user lose their owner, however their path is written', () => {
  expect(clean('/Users/jtrader/Library/x.db')).toBe('~/Library/x.db')
  expect(clean('file:///Users/jtrader/Library/x.db')).toBe('file:~/Library/x.db')
  expect(clean('d:/jane books/fillbook/journal.db')).toBe('[data folder]/journal.db')
  expect(clean('D:\\Jane%20Books\\Fillbook\\journal.db')).toBe('[data folder]\\journal.db')
  expect(clean('C:\\Users\\Somebody Else\\AppData')).toBe('~\\AppData')
  expect(clean('/home/somebody')).toBe('~')
  expect(clean('owner jtrader, JTRADER')).toBe('owner ~, ~')
})

test('anything that looks like an address, a token, or an account number is removed, known or not', () => {
  expect(clean('mail other@example.com, Bearer abc.def, eyJhbGciOi.x.y')).toBe('mail [removed], Bearer [removed], [removed]')
  expect(clean('?code=abc refresh_token: xyz 8f14e45fceea167a5a36dedd4bea2543 account 7001019')).toBe('?code=[removed] refresh_token: [removed] [removed] account #')
})

const cleaned = (entry: object, journalKnown = true): unknown => JSON.parse(redactLine(JSON.stringify(entry), clean, journalKnown) ?? 'null')

test('an entry keeps the log’s own fields', () => {
  const entry = { level: 40, time: '2026-11-21T10:00:00.000Z', pid: 41_234, msg: 'sync ended', outcome: 'partial', fills: 12_345, troubles: ['expired'], method: 'GET', path: '/api/trades/pairs', status: 500, ms: 12, ok: true, none: null }
  expect(cleaned(entry)).toEqual(entry)
})

test('text under an unknown field is removed, and so are quotes in errors', () => {
  const error = { name: 'SyntaxError', message: `Unexpected token 'm', ..."note": my plan: "sell"... is not valid JSON`, stack: "SyntaxError: Unexpected token 'm', \"my plan\"\n    at parse (file:///Users/jtrader/app/main.js:12345:7)\n    at Object.run (D:\\Jane Books\\Fillbook\\x.js:1:2)", code: 'ERR_X' }
  expect(cleaned({ error, note: 'my plan', deep: { tags: ['my plan'], account: 471_100 }, path: '/api/trades/PA-7 Main/x1', name: 'my plan' })).toEqual({
    error: { name: 'SyntaxError', message: `Unexpected token '…', ..."…"... is not valid JSON`, stack: "SyntaxError: Unexpected token '…', \"…\"\n    at parse (file:~/app/main.js:12345:7)\n    at Object.run ([data folder]\\x.js:1:2)", code: 'ERR_X' },
    note: '[removed]', deep: { tags: ['[removed]'], account: '#' }, path: '/api/trades/…/…', name: '[removed]',
  })
})

test('without the journal’s names, error texts are left out', () => {
  const error = { name: 'Error', message: 'PA-9 has no fills', stack: 'Error: PA-9 has no fills\n    at run (main.js:1:2)' }
  expect(cleaned({ error, msg: 'sync failed' }, false)).toEqual({ error: { name: 'Error', message: '[removed]', stack: '    at run (main.js:1:2)' }, msg: 'sync failed' })
})

test('anything but a log entry is left out', () => {
  for (const line of ['plain words', '"text"', '[1]', 'null', '{"cut":']) expect(redactLine(line, clean, true)).toBeNull()
})

test('patterns apply without known data too', () => {
  expect(createRedactor({ terms: [], home: '', userName: '', dataDir: '' })('a other@example.com /home/x/y')).toBe('a [removed] ~/y')
})
