import { defineConfig } from '@playwright/test'
import { desktopIn, inChromium, screens, withDesktop } from './playwright-chromium.ts'

/**
 * What takes long: with programs of others behind it, with real pauses, or around the edges of what the short run shows.
 * The nightly run adds the states that a screen can show without harm to money, data or access (`@nightly`).
 */
const isNightly = process.env['NIGHTLY'] !== undefined
const ofLongRun = { grep: isNightly ? /@(long|nightly)/ : /@long/ }

export default defineConfig(inChromium, withDesktop, {
  timeout: 600_000,
  // They wait for more programs than the short ones.
  workers: 4,
  projects: [desktopIn('stub', ofLongRun), { ...screens, ...ofLongRun }, { name: 'long', testMatch: '*.long.spec.ts', ...(isNightly ? {} : { grepInvert: /@nightly/ }) }],
})
