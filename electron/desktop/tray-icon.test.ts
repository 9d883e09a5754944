import { expect, test } from 'vitest'
import { trayIcon } from './tray-icon.ts'

test.each([
  ['darwin', { shouldUseDarkColors: true, shouldUseDarkColorsForSystemIntegratedUI: false }, 'trayTemplate.png'],
  ['win32', { shouldUseDarkColors: true, shouldUseDarkColorsForSystemIntegratedUI: false }, 'tray-light.ico'],
  ['win32', { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: true }, 'tray-dark.ico'],
  ['win32', { shouldUseDarkColors: true }, 'tray-dark.ico'],
  ['linux', { shouldUseDarkColors: true }, 'tray-dark.png'],
  ['linux', { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: undefined }, 'tray-light.png'],
] as const)('on %s with %o it is %s', (platform, bars, name) => {
  expect(trayIcon(platform, bars)).toBe(name)
})
