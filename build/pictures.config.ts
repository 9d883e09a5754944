import { defineConfig } from '@playwright/test'
import { inChromium } from './playwright-chromium.ts'

/** Takes the pictures of README, guide and landing page from the running app, into docs/. */
export default defineConfig(inChromium, { testDir: '../tests/screenshots', testMatch: 'docs-pictures.ts', workers: 1, timeout: 900_000, use: { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 1.5 } })
