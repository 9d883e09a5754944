import { defineConfig } from '@playwright/test'
import { desktopIn, inChromium, screens, withDesktop } from './playwright-chromium.ts'

/** What takes long: with programs of others behind it, with real pauses, through every state of a thing, or around the edges of what the short run shows. */
export default defineConfig(inChromium, withDesktop, {
  timeout: 600_000,
  // They wait for more programs than the short ones.
  workers: 4,
  projects: [desktopIn('stub', { grep: /@long/ }), { ...screens, grep: /@long/ }, { name: 'long', testMatch: '*.long.spec.ts' }],
})
