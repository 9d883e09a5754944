import { expect, test } from 'vitest'
import { isConnectedPlatform, platformOf } from './platform.ts'

test('an account is of the platform that its key names', () => {
  expect(['tradovate:demo:700101', 'topstepx:live:8734', 'file:PA-7'].map(platformOf)).toEqual(['Tradovate', 'TopstepX', 'Tradovate'])
  expect(['Tradovate', 'TopstepX', 'NinjaTrader', ''].map(isConnectedPlatform)).toEqual([true, true, false, false])
})
