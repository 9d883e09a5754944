import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app } from 'electron'
import { readSettings, standardDataDir } from '#backend/settings.ts'
import { watchArrivals } from './arrivals.ts'
import { packedCloudUrl } from './bundle.ts'
import { runDesktop, sayWrongSettings } from './desktop.ts'

// npm, which may have started this, waits for a line and may go before it.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const saidInBox = 'Fillbook did not start; its window says why'

/** Puts Chromium's own files below the data folder: so two data folders are two programs, and one is one. */
const settleIn = (dataDir: string): void => {
  const profile = join(dataDir, 'desktop')
  try {
    mkdirSync(profile, { recursive: true })
    app.setPath('userData', profile)
  } catch {
    // The backend reports an unwritable folder, with its remedy.
  }
}

// What is written from here on is for its owner's eyes only; on Windows the rights of the user's folder hold.
process.umask(0o077)
const settings = readSettings({ env: process.env, packedCloudUrl: packedCloudUrl() })
// A child process or a thread has no need of them.
delete process.env['FILLBOOK_TRADOVATE_CLIENT_SECRET']
delete process.env['FILLBOOK_GOOGLE_CLIENT_SECRET']

// Wrong settings still say where, as far as they can be believed.
settleIn(settings.ok ? settings.value.dataDir : resolve(process.env['FILLBOOK_DATA_DIR'] ?? standardDataDir(process.platform, homedir(), process.env)))

// Electron is not ready before this file is through: what needs that must not be awaited here.
if (!settings.ok) {
  const problems = settings.error
  void app.whenReady().then(() => {
    sayWrongSettings(problems)
    say(saidInBox)
  })
} else if (!app.requestSingleInstanceLock()) {
  say('Fillbook is ready in the window that is open already')
  app.quit()
} else {
  const { value } = settings
  const arrivals = watchArrivals()
  void app.whenReady().then(async () => {
    const url = await runDesktop(value, arrivals).catch((error: unknown) => {
      say(saidInBox)
      throw error
    })
    if (url === null) say(saidInBox)
    else say(`Fillbook is ready at ${url}`)
  })
}
