import { expect, test } from 'vitest'
import { databentoSymbol, projectxContractId } from './feed-names.ts'

const known = [{ id: 'CON.F.US.ENQ.H26', contract: 'NQH6' }, { id: 'CON.F.US.MES.Z25', contract: 'MESZ5' }]

test('a contract of ProjectX has the id that the broker named, or its product’s code with another month', () => {
  expect(projectxContractId('NQ 2026-03', known)).toBe('CON.F.US.ENQ.H26')
  expect(projectxContractId('NQ 2026-12', known)).toBe('CON.F.US.ENQ.Z26')
  expect(projectxContractId('MES 2027-06', known)).toBe('CON.F.US.MES.M27')
  expect(projectxContractId('ES 2026-12', known)).toBeNull()
})

test('Databento’s symbol has one digit of the year', () => {
  expect(databentoSymbol('ES 2026-12')).toBe('ESZ6')
  expect(databentoSymbol('MNQ 2015-03')).toBe('MNQH5')
})
