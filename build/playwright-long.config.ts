import { defineConfig } from '@playwright/test'
import screens from './playwright.config.ts'

/** The screens together with programs of others that take long to install and to start; those of one file share them. */
export default defineConfig(screens, { testMatch: '*.long.spec.ts', testIgnore: [], fullyParallel: false, timeout: 600_000 })
