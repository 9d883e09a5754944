import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app } from 'electron'
import { readSettings, standardDataDir } from '#backend/settings.ts'
import { packedCloudUrl } from './bundle.ts'
import { watchArrivals } from './deep-link.ts'
import { runDesktop, showSettingsProblems } from './desktop.ts'

// npm may have started this and may exit before the line is written, so ignore a broken pipe.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const seeWindow = 'Fillbook did not start; its window says why'

/** Puts Chromium's files into the data folder, so that the single-instance lock is per data folder. */
const settleIn = (dataDir: string): void => {
  const profile = join(dataDir, 'desktop')
  try {
    mkdirSync(profile, { recursive: true })
    app.setPath('userData', profile)
  } catch {
    // The backend reports an unwritable folder, with its remedy.
  }
}

// Files created from here on are readable only by their owner; on Windows the user folder's permissions apply.
process.umask(0o077)
const settings = readSettings({ env: process.env, packedCloudUrl: packedCloudUrl() })
// Child processes and threads do not need them.
delete process.env['FILLBOOK_TRADOVATE_CLIENT_SECRET']
delete process.env['FILLBOOK_GOOGLE_CLIENT_SECRET']

// Even invalid settings may name the data folder.
settleIn(settings.ok ? settings.value.dataDir : resolve(process.env['FILLBOOK_DATA_DIR'] ?? standardDataDir(process.platform, homedir(), process.env)))

// Electron becomes ready only after this file has run: do not await readiness at the top level.
if (!settings.ok) {
  const problems = settings.error
  void app.whenReady().then(() => {
    showSettingsProblems(problems)
    say(seeWindow)
  })
} else if (!app.requestSingleInstanceLock()) {
  say('Fillbook is ready in the window that is open already')
  app.quit()
} else {
  const { value } = settings
  const arrivals = watchArrivals()
  void app.whenReady().then(async () => {
    const url = await runDesktop(value, arrivals).catch((error: unknown) => {
      say(seeWindow)
      throw error
    })
    if (url === null) say(seeWindow)
    else say(`Fillbook is ready at ${url}`)
  })
}
