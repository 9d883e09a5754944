import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Log } from '#shared/base/log.ts'

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive(), maximised: z.boolean() })

// Missing fields take their defaults, so that a new version can add fields.
const shellState = z.object({
  theme: z.enum(['dark', 'light', 'system']).default('dark'),
  language: z.string().max(20).nullable().default(null),
  staysInTray: z.boolean().default(true),
  toldAboutTray: z.boolean().default(false),
  window: place.nullable().default(null),
})

/** Desktop state that survives a restart; `language` is null until the page sets one, `window` until a window was closed. */
export type ShellState = Readonly<z.output<typeof shellState>>

/** A window's bounds in device-independent pixels, and whether it was maximized. */
export type WindowBounds = Readonly<z.output<typeof place>>

/** Persists the shell state in one small file. */
export type ShellStore = ReturnType<typeof openShellStore>

/** Opens the store in `file`. A damaged file is logged and replaced by the defaults. */
export const openShellStore = (file: string, log: Log) => {
  let state = readState(file, log)
  return {
    read: (): ShellState => state,
    /** Applies the changes and writes them synchronously; after a failed write they still apply until the program exits. */
    change: (changes: Partial<ShellState>): void => {
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
    // The file does not exist before the first change.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ error }, 'reading the shell state failed')
    return defaults
  }
  const parsed = shellState.safeParse(jsonOf(content))
  if (parsed.success) return parsed.data
  log.warn({ paths: parsed.error.issues.map(({ path }) => path.join('.')) }, 'shell state is damaged: using defaults')
  return defaults
}

const jsonOf = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

// Written by rename: a crash leaves either the old file or the new one.
const writeWhole = (file: string, content: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  const fresh = `${file}.new`
  writeFileSync(fresh, content, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}
