import { expect, it } from 'vitest'
import { contractOfInstrument } from './contract-code.ts'

it.each([
  ['MNQ MAR25', 'MNQH5'],
  ['MNQ 03-25', 'MNQH5'],
  [' mnq  sep25 ', 'MNQU5'],
  ['6E 12-26', '6EZ6'],
  ['MES JUN26', 'MESM6'],
  ['CL 01-30', 'CLF0'],
  ['MNQZ6', 'MNQZ6'],
  ['MNQ', 'MNQ'],
  ['NQ 13-25', 'NQ 13-25'],
  ['NQ 00-25', 'NQ 00-25'],
  ['NQ ##-##', 'NQ ##-##'],
])('%j is %s', (instrument, contract) => expect(contractOfInstrument(instrument)).toBe(contract))
