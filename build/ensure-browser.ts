import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'

/** Whether this process is root, for whom Chromium refuses its sandbox. */
export const isRoot = process.getuid?.() === 0

const installed = (): string | undefined => [debianChromium, chromium.executablePath()].find((path) => existsSync(path))

/** The path of a Chromium for the tests: the system's, Playwright's own, or on Debian as root one installed now; throws a line that says what to do. */
export const ensureBrowser = (): string => {
  const found = installed()
  if (found) return found
  if (isRoot && existsSync('/etc/debian_version')) {
    try {
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    } catch {
      // Told below, together with the case of no installation at all.
    }
  }
  const now = installed()
  if (now) return now
  throw new Error('No Chromium for the screen tests: run `npx playwright install chromium`, or install the package chromium of your system.')
}
