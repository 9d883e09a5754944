import { defineConfig } from '@playwright/test'
import { inChromium } from './playwright-chromium.ts'

/** Renews the pictures of README, guide and landing page in docs/ from the running app. */
export default defineConfig(inChromium, { testDir: '../tests/screenshots', testMatch: 'docs-pictures.ts', workers: 1, timeout: 900_000, use: { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 1.5 } })
