import { defineConfig } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { ensureBrowser, isRoot } from './ensure-browser.ts'
import './programs-folder.ts'

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The screens in a real Chromium against the real backend; nothing in the browser calls out on its own. */
export default defineConfig({
  testDir: root('tests/e2e'),
  testMatch: '*.spec.ts',
  testIgnore: '*.long.spec.ts',
  globalSetup: root('build/programs-setup.ts'),
  outputDir: root('test-results'),
  forbidOnly: Boolean(process.env['CI']),
  workers: 2,
  fullyParallel: true,
  // Long enough for a busy machine of two cores; what works never waits for it.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    timezoneId: 'America/New_York',
    locale: 'en-US',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: ensureBrowser(),
      chromiumSandbox: !isRoot,
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--no-pings'],
    },
  },
})
