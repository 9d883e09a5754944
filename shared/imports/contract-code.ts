import { remembering } from '#shared/base/remembering.ts'
import { productRow } from '#shared/market/contract-name.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import type { Reading } from './reading.ts'

const letters = 'FGHJKMNQUVXZ'
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const spelled = /^(\S+) ([A-Z]{3}) ?(\d{2})$/
const numbered = /^(\S+) (\d{2})-(\d{2})$/
const short = /^(\S+)([FGHJKMNQUVXZ])(\d{1,2})$/

// Brokers write one year digit for what they list today; deliveries of these years keep that name, all others get two digits.
const [firstShortYear, lastShortYear] = [2022, 2031]
// A three-month rate is named by the first month of its quarter and trades to the quarter's end.
const monthsBehindName = 6
const day = 86_400_000

/**
 * The contract in the broker's short form, `MNQH5`, of an instrument as NinjaTrader names it: `MNQ MAR25` or
 * `MNQ 03-25`; a delivery before 2022 or after 2031 keeps two digits of its year, `ESZ15`. Any other name
 * is returned in capitals.
 */
export const contractOfInstrument = (instrument: string): string => contractOf(instrument)

const contractOf = remembering((instrument) => {
  const plain = instrument.trim().toUpperCase().replace(/\s+/g, ' ')
  const [, root = '', month = '', year = ''] = spelled.exec(plain) ?? numbered.exec(plain) ?? []
  const number = months.includes(month) ? months.indexOf(month) : Number(month) - 1
  const letter = letters[number]
  return root === '' || letter === undefined ? plain : named(root, letter, 2000 + Number(year))
})

/** Whether a short-form name is a delivery of a product in the contract table. */
export const isKnownDelivery = (contract: string): boolean => isDelivery(contract)

const isDelivery = remembering((contract) => productRow(short.exec(contract)?.[1] ?? '') !== null)

/** The product of a continuous symbol, `ES1!`, which names no month; null for any other name. */
export const continuousProduct = (contract: string): string | null => {
  const root = /^(.+?)\d!$/.exec(contract)?.[1] ?? ''
  return productRow(root) === null ? null : root
}

/**
 * A contract's name with its delivery year resolved by its trade time (UTC ms): for a one-digit year, `ESZ5`, the first delivery not over by then.
 * Deliveries from 2022 to 2031 have one digit, all others two.
 */
export const datedContract = (contract: string, time: number): string => {
  const name = partsOf(contract)
  if (name === null) return contract
  const { root, letter, figures, isKnown } = name
  if (figures.length === 1) return named(root, letter, deliveryYear(letters.indexOf(letter), Number(figures), time))
  return isKnown ? named(root, letter, 2000 + Number(figures)) : contract
}

/** The parts of a short-form name, and whether its product is in the contract table; null for any other name. */
const partsOf = remembering((contract): { readonly root: string; readonly letter: string; readonly figures: string; readonly isKnown: boolean } | null => {
  const [, root = '', letter = '', figures = ''] = short.exec(contract) ?? []
  return root === '' || productRow(contract) !== null ? null : { root, letter, figures, isKnown: productRow(root) !== null }
})

/** A short-form contract name with the year of its delivery month (`YYYYMM`); ignored if the month is not the name's. */
export const deliveredContract = (contract: string, delivery: number): string => {
  const [, root = '', letter = '', figures = ''] = short.exec(contract) ?? []
  const [year, month] = [Math.floor(delivery / 100), delivery % 100]
  const isOfName = letters.indexOf(letter) === month - 1 && year % 10 === Number(figures) % 10
  return root === '' || productRow(contract) !== null || !isOfName || year < 1990 || year > 2089 ? contract : named(root, letter, year)
}

/** The reading with its contract's delivery year resolved by its own time. */
export const datedReading = <R extends Reading>(reading: R): R => {
  if (reading.says === 'balance' || reading.contract === null) return reading
  const time = timeOf(reading)
  if (time === null) return reading
  const contract = datedContract(reading.contract, time)
  return contract === reading.contract ? reading : { ...reading, contract }
}

/** Null for a rejected row without a time. */
const timeOf = (reading: Exclude<Reading, { says: 'balance' }>): number | null => {
  if (reading.says === 'order') return reading.filledAt
  return reading.says === 'pair' ? Math.max(reading.buy.time, reading.sell.time) : reading.time
}

const named = (root: string, letter: string, year: number): string =>
  `${root}${letter}${year >= firstShortYear && year <= lastShortYear ? String(year % 10) : String(year % 100).padStart(2, '0')}`

const deliveryYear = (month: number, figure: number, time: number): number => {
  const [year, traded] = isoDate(Math.floor(time / day)).split('-').map(Number)
  const earliest = (year ?? 0) * 12 + (traded ?? 1) - 1 - monthsBehindName
  const from = Math.ceil((earliest - month) / 12)
  return from + ((((figure - from) % 10) + 10) % 10)
}
