import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** What a machine offers to a search for Chromium. */
export type Machine = {
  /** Possible paths, best first: the headless-only one takes a sixth less CPU time. */
  readonly places: readonly string[]
  readonly exists: (path: string) => boolean
  /** Installs the system's package; null if this process may not. */
  readonly install: (() => void) | null
}

/** Whether this process is root, for whom Chromium refuses its sandbox. */
export const isRoot = process.getuid?.() === 0

const installFromDebian = (): void => {
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'chromium-headless-shell'], options)
}

const thisMachine: Machine = {
  places: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', chromium.executablePath()],
  exists: existsSync,
  install: isRoot && existsSync('/etc/debian_version') ? installFromDebian : null,
}

/** The path of a Chromium for the tests: the system's, Playwright's own, or one installed now; throws one line that says what to do. */
export const ensureBrowser = ({ places, exists, install }: Machine = thisMachine): string => {
  const found = places.find(exists)
  if (found) return found
  try {
    install?.()
  } catch {
    // If the installation failed, the search below finds nothing and says what to do.
  }
  const installed = places.find(exists)
  if (installed) return installed
  throw new Error('No Chromium for the screen tests: run `npx playwright install chromium`, or install the package chromium of your system.')
}
