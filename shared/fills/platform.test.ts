import { expect, test } from 'vitest'
import { isConnectedPlatform, platformOf } from './platform.ts'

test('an account is of the platform that its key names', () => {
  expect(['tradovate:demo:700101', 'topstepx:live:8734', 'ninjatrader:demo:Sim101', 'file:PA-7', 'constructor:1'].map(platformOf)).toEqual(['Tradovate', 'TopstepX', 'NinjaTrader', 'Tradovate', 'Tradovate'])
  expect(['Tradovate', 'TopstepX', 'NinjaTrader', 'other', ''].map(isConnectedPlatform)).toEqual([true, true, true, false, false])
})
