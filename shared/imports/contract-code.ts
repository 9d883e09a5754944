const letters = 'FGHJKMNQUVXZ'
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const spelled = /^(\S+) ([A-Z]{3}) ?(\d{2})$/
const numbered = /^(\S+) (\d{2})-(\d{2})$/

/**
 * The contract in the broker's short form, `MNQH5`, of an instrument as NinjaTrader names it: `MNQ MAR25` or
 * `MNQ 03-25`. What has neither shape keeps its name in capitals.
 */
export const contractOfInstrument = (instrument: string): string => {
  const plain = instrument.trim().toUpperCase().replace(/\s+/g, ' ')
  const [, root = '', month = '', year = ''] = spelled.exec(plain) ?? numbered.exec(plain) ?? []
  const number = months.includes(month) ? months.indexOf(month) : Number(month) - 1
  const letter = letters[number]
  return root === '' || letter === undefined ? plain : `${root}${letter}${year.slice(-1)}`
}
