import { defineConfig } from '@playwright/test'
import { desktopIn, inChromium, screens, withDesktop } from './playwright-chromium.ts'

const shortRun = { grepInvert: /@(long|nightly)/ }

/** The screens against the real backend; and the desktop's own program, once without Electron's runtime and once in it wherever it is installed. */
export default defineConfig(inChromium, withDesktop, {
  projects: [desktopIn('stub', shortRun), desktopIn('electron', {}), { ...screens, ...shortRun }],
})
