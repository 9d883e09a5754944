import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Log } from '#shared/base/log.ts'

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive(), maximised: z.boolean() })

// Whatever is missing takes its default, so that a version may add to it.
const shellState = z.object({
  theme: z.enum(['dark', 'light', 'system']).default('dark'),
  language: z.string().max(20).nullable().default(null),
  staysInTray: z.boolean().default(true),
  toldAboutTray: z.boolean().default(false),
  window: place.nullable().default(null),
})

/** What the desktop remembers from one start to the next; `language` is null until the page sets one, `window` until one was closed. */
export type ShellState = Readonly<z.output<typeof shellState>>

/** Where a window was, in the display's own units, and whether it filled its display. */
export type WindowPlace = Readonly<z.output<typeof place>>

/** What the desktop remembers, in one small file. */
export type ShellStore = {
  readonly read: () => ShellState
  /** Changes what is given, and writes it before it returns; what cannot be written still holds for this start. */
  readonly change: (changes: Partial<ShellState>) => void
}

/** Opens the store in `file`. A file that is damaged gives the defaults and is logged. */
export const openShellStore = (file: string, log: Log): ShellStore => {
  let state = readState(file, log)
  return {
    read: () => state,
    change: (changes) => {
      state = { ...state, ...changes }
      try {
        writeWhole(file, `${JSON.stringify(state, null, 2)}\n`)
      } catch (error) {
        log.warn({ error }, 'writing the shell state failed')
      }
    },
  }
}

const readState = (file: string, log: Log): ShellState => {
  const defaults = shellState.parse({})
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    // Before the first change there is none.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ error }, 'reading the shell state failed')
    return defaults
  }
  const parsed = shellState.safeParse(jsonOf(content))
  if (parsed.success) return parsed.data
  log.warn({ paths: parsed.error.issues.map(({ path }) => path.join('.')) }, 'What the desktop remembered was damaged: defaults hold')
  return defaults
}

const jsonOf = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

// Put in place by renaming: a program that is killed meanwhile leaves the old file or the new one.
const writeWhole = (file: string, content: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  const fresh = `${file}.new`
  writeFileSync(fresh, content, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}
