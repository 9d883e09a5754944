import { defineConfig } from '@playwright/test'
import screens from './playwright.config.ts'

/** The screens that take long: with programs of others behind them, with real pauses, or through every state of a thing. */
export default defineConfig(screens, { testMatch: '*.long.spec.ts', testIgnore: [], timeout: 600_000 })
