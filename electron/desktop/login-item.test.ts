import { expect, test } from 'vitest'
import { opensAtLogin } from './login-item.ts'

test.each([
  ['win32', true, true, true],
  // Switched off in the Task Manager.
  ['win32', true, false, false],
  // Another program's entry for the same file.
  ['win32', false, true, false],
  // macOS knows no such thing.
  ['darwin', true, false, true],
  ['darwin', false, false, false],
] as const)('%s: entry %s, started %s', (platform, openAtLogin, executableWillLaunchAtLogin, starts) => {
  expect(opensAtLogin({ openAtLogin, executableWillLaunchAtLogin }, platform)).toBe(starts)
})
