import { expect, test } from 'vitest'
import { fitting, type Command } from './command.ts'

const command = (label: string, words = ''): Command => ({ id: label, label, words, Icon: () => null, leads: true, run: () => undefined })
const all = [command('Overview', 'home equity'), command('TradeLogbook', 'journal trades list'), command('Operational', 'earnings expenses fees'), command('Theme: Dark', 'night'), command('Settings: Fees'), command('ഓവർവ്യൂ')]
const found = (asked: string): string[] => fitting(asked, all).map(({ label }) => label)

test('nothing typed leaves all', () => {
  expect(found('  ')).toEqual(all.map(({ label }) => label))
})

test('a command is found by the beginning of each of its words, also within a name', () => {
  expect(found('log')).toEqual(['TradeLogbook'])
  expect(found('dark th')).toEqual(['Theme: Dark'])
  expect(found('OVER')).toEqual(['Overview'])
  expect(found('ഓവർ')).toEqual(['ഓവർവ്യൂ'])
})

test('its name counts more than other words, and these more than a part of a word', () => {
  expect(found('fees')).toEqual(['Settings: Fees', 'Operational'])
  expect(found('eme')).toEqual(['Theme: Dark'])
  expect(found('a')).toEqual([])
})

test('every word must fit', () => {
  expect(found('dark nowhere')).toEqual([])
})
