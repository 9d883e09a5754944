import { contractOfInstrument, datedContract } from '#shared/imports/contract-code.ts'
import { productRow } from '#shared/market/contract-name.ts'

const letters = 'FGHJKMNQUVXZ'
const short = /^([A-Z0-9]+?)([FGHJKMNQUVXZ])(\d{1,2}|20\d{2})$/
// One digit stands for these years, as the journal names contracts.
const firstShortYear = 2022
// There were no such contracts before.
const firstYear = 70

/** A contract as the journal names it, `MNQZ6`, of any platform's name for it, with its exchange on either side or without; a year of one digit is resolved by a time (UTC ms). Null where the name has no known product and delivery. */
export const journalContract = (name: string, time: number): string | null => {
  // `CON.F.US.EP.Z26`, `CME_MINI:ESZ2026`, `/ESZ26:XCME`, `ESZ26_FUT_CME`.
  const words = name.trim().toUpperCase().replace(/^[@/]/, '').replace(/^CON\.F\.\w+\.(\w+)\.(\w+)$/, '$1$2').split(':').flatMap((part) => [part, part.split('_')[0] ?? ''])
  return words.map((word) => plainContract(word, time)).find((found) => found !== null) ?? null
}

const plainContract = (plain: string, time: number): string | null => {
  const instrument = contractOfInstrument(plain)
  const [, code = '', letter = '', figures = ''] = short.exec(instrument) ?? []
  const root = productRow(code)?.root
  if (root === undefined) return null
  const contract = `${root}${letter}${figures.slice(-2)}`
  // Of a month in words or numbers the year was whole: its one digit is the journal's own.
  return instrument === plain ? datedContract(contract, time) : contract
}

/** Root and delivery month of a contract that the journal names, `MNQ 2026-12` of `MNQZ6`; null where the name has none. */
export const contractKey = (contract: string): string | null => {
  const [, root = '', letter = '', figures = ''] = short.exec(contract) ?? []
  if (root === '') return null
  const digit = Number(figures)
  const year = figures.length === 1 ? firstShortYear + ((digit - (firstShortYear % 10) + 10) % 10) : (digit < firstYear ? 2000 : 1900) + digit
  return `${root} ${String(year)}-${String(letters.indexOf(letter) + 1).padStart(2, '0')}`
}

/** Root, letter of the month, and year of a contract: `MNQ`, `Z` and `2026` of `MNQ 2026-12`. */
export const partsOfKey = (key: string): { readonly root: string; readonly letter: string; readonly year: string } => {
  const [root = '', delivery = ''] = key.split(' ')
  const [year = '', month = ''] = delivery.split('-')
  return { root, letter: letters[Number(month) - 1] ?? '', year }
}

/** The journal's name of a root and delivery month. */
export const contractOfKey = (key: string): string => {
  const { root, letter, year } = partsOfKey(key)
  return datedContract(`${root}${letter}${year.slice(-2)}`, 0)
}

const continuous = /#|\b\w+\d!|@[A-Z]+\b|\.[cvn]\.\d|continuous|(?<!un)adj|_full_|perpetual/i

/** The contract in the name of a file, `NQ 12-26.Last.txt` or `ESZ26_FUT_CME.scid`, as the journal names it, and whether the name is of a continuous series. */
export const contractInFileName = (file: string, time: number): { readonly contract: string | null; readonly continuous: boolean } => {
  const stem = file.replace(/\.(txt|csv|scid|zst|gz)$/i, '')
  const numbered = /(\S+ \d{2}-\d{2})(?![-\d])/.exec(stem)?.[1]
  const words = stem.split(/[\s_,.:()/-]+/)
  // Some put a line between product and delivery: `ES_Z26_1min`.
  const names = [...(numbered === undefined ? [] : [numbered]), ...words, ...words.map((word, index) => `${word}${words[index + 1] ?? ''}`)]
  const contract = names.map((word) => journalContract(word, time)).find((found) => found !== null) ?? null
  return { contract, continuous: continuous.test(stem) }
}
