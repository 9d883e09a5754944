import { defineConfig } from '@playwright/test'
import screens from './playwright.config.ts'

/** Takes the pictures of all screens instead of testing them. */
export default defineConfig(screens, { testMatch: 'screenshots*.ts', timeout: 300_000 })
