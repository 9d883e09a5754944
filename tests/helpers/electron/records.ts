import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv } from '../clean-env.ts'
import type { DesktopStart, Recorded } from './desktop.ts'

/** The recorder, required into both worlds' main process. */
export const recorderFile = new URL('./recorder.cjs', import.meta.url).pathname

let started = 0

/** A file for what one start shows, and its environment: the settings of a test, and nothing of whoever runs it. */
export const recordsOf = ({ dataDir, env, answers = {} }: DesktopStart): { readonly env: NodeJS.ProcessEnv; readonly recorded: () => readonly Recorded[] } => {
  started += 1
  const file = join(dataDir, `records-${String(process.pid)}-${String(started)}.jsonl`)
  return {
    env: cleanEnv({
      FILLBOOK_DATA_DIR: dataDir,
      FILLBOOK_PORT: '0',
      FILLBOOK_TIMEZONE: 'America/Chicago',
      DESKTOP_RECORDS: file,
      DESKTOP_ANSWERS: JSON.stringify(answers),
      XDG_CONFIG_HOME: join(dataDir, 'config'),
      ...env,
    }),
    recorded: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded) : []),
  }
}
