import { defineConfig } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import './desktop-bundle.ts'
import screens from './playwright.config.ts'

const root = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The desktop's own program with real pages: once without Electron's runtime, and once in it wherever it is installed. */
export default defineConfig({
  ...screens,
  testDir: root('tests/desktop'),
  testIgnore: [],
  globalSetup: root('build/desktop-setup.ts'),
  // The files are few and each shares one desktop among its tests.
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], [root('build/not-run-reporter.ts')]],
  // The worlds of tests/desktop/desktop-test.ts.
  projects: ['stub', 'electron'].map((world) => ({ name: world, use: { world } as object })),
})
