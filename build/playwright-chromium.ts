import type { PlaywrightTestConfig, Project } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { ensureBrowser, isRoot } from './ensure-browser.ts'
import './desktop-bundle.ts'
import './programs-folder.ts'

/** A path below the project's root. */
export const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The common settings of every run in real Chromium; nothing in the browser makes external requests. */
export const inChromium: PlaywrightTestConfig = {
  testDir: root('tests/e2e'),
  globalSetup: root('build/programs-setup.ts'),
  outputDir: root('test-results'),
  forbidOnly: Boolean(process.env['CI']),
  // A rare failure among hundreds of tests is retried, and named as flaky at the end; a local run fails at once.
  retries: process.env['CI'] ? 1 : 0,
  // They wait for each other's programs more than they compute.
  workers: 3,
  fullyParallel: true,
  // Long enough for a busy machine of two cores; passing tests never wait for it.
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
}

/** Further settings of a run that includes the desktop. */
export const withDesktop: PlaywrightTestConfig = {
  globalSetup: [root('build/programs-setup.ts'), root('build/desktop-setup.ts')],
  reporter: [['list'], [root('build/not-run-reporter.ts')]],
}

/** The screens, without the files that are long as a whole. */
export const screens: Project = { name: 'screens', testMatch: '*.spec.ts', testIgnore: '*.long.spec.ts' }

/** The desktop in one of the worlds of tests/desktop/desktop-test.ts. Its files are few, and each shares one desktop among its tests. */
export const desktopIn = (world: 'stub' | 'electron', which: Pick<Project, 'grep' | 'grepInvert'>): Project => ({ name: world, testDir: root('tests/desktop'), fullyParallel: false, timeout: 120_000, use: { world } as object, ...which })
