import { defineConfig } from '@playwright/test'
import { inChromium } from './playwright-chromium.ts'

/** Takes the pictures of all screens instead of testing them. */
export default defineConfig(inChromium, { testDir: '../tests/screenshots', testMatch: '*.shots.ts', workers: 2, timeout: 300_000 })
