import { defineConfig } from '@playwright/test'
import { desktopIn, inChromium, screens, withDesktop } from './playwright-chromium.ts'

/**
 * The slow tests: with third-party programs, with real pauses, or around the edges of what the short run covers. The
 * nightly run adds screen states that cannot harm money, data or access, and further ways through what the tests of calls
 * hold (`@nightly`).
 */
const isNightly = process.env['NIGHTLY'] !== undefined
const ofLongRun = { grep: isNightly ? /@(long|nightly)/ : /@long/ }

export default defineConfig(inChromium, withDesktop, {
  timeout: 600_000,
  // They wait for more programs than the short ones.
  workers: 4,
  projects: [desktopIn('stub', ofLongRun), { ...screens, ...ofLongRun }, { name: 'long', testMatch: '*.long.spec.ts', ...(isNightly ? {} : { grepInvert: /@nightly/ }) }],
})
