import { join } from 'node:path'
import { problemCode } from '#shared/api/problems.ts'
import { syncTrouble } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { makeFolder } from './make-folder.ts'

const hidden = '[redacted]'
const deepest = 6
const longestText = 2_000
const mostEntries = 100

const secretName = /^access$|^refresh$|ticket|token|secret|passw|cookie|authori[sz]ation|bearer|credential|recovery|session|^state$|apikey|api[-_]key|private|e-?mail|phone|^body$|^headers$|query|^search$/i
const systemCode = /^(E[A-Z0-9]{2,20}|ERR_[A-Z0-9_]{2,60}|SQLITE_[A-Z_]{2,40})$/
const knownCodes: ReadonlySet<unknown> = new Set([...problemCode.options, ...syncTrouble.shape.code.options])

/** Every pattern below needs one of these: most texts have none, and are left unchanged at once. */
const suspect = /[@?&#=:]|%40|bearer|basic|eyJ/i

/** A text without what could identify or authenticate: queries of URLs, bearer tokens, signed tokens, email addresses, `name=value` of a secret. */
const cleanText = (given: string): string => {
  const text = given.slice(0, longestText)
  if (!suspect.test(text)) return text
  return text
    .replace(/([?#&][\w.~%-]+=)[^\s"'<>]*/g, `$1${hidden}`)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replace(/\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, hidden)
    .replace(/[^\s"'<>@:,;=()]{1,64}(@|%40)[^\s"'<>@,;=()]+/gi, hidden)
    .replace(/((?:token|secret|password|passwd|cookie|code|state|recovery\w*|authorization)["']?\s*[=:]\s*["']?)[^\s"',;}&]+/gi, `$1${hidden}`)
}

/** A value fit for a log: hides everything with a secret's name, cleans texts, and never fails, whatever the value's shape. */
const cleanValue = (value: unknown, depth = 0, seen: ReadonlySet<object> = new Set()): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return '[circular]'
  if (depth >= deepest) return '[deep]'
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return '[bytes]'
  const within = new Set(seen).add(value)
  try {
    if (value instanceof URL) return cleanText(value.href)
    if (value instanceof Map) return cleanFields([...value].map(([key, entry]) => [String(key), entry]), depth, within)
    if (Array.isArray(value) || value instanceof Set) return [...value].slice(0, mostEntries).map((entry) => cleanValue(entry, depth + 1, within))
    if (value instanceof Error) return cleanFields([['name', value.name], ['message', value.message], ['stack', value.stack], ['cause', value.cause], ...Object.entries(value)], depth, within)
    return cleanFields(Object.entries(value), depth, within)
  } catch {
    return '[unreadable]'
  }
}

const cleanFields = (entries: readonly (readonly [string, unknown])[], depth: number, seen: ReadonlySet<object>): Record<string, unknown> =>
  Object.fromEntries(
    entries
      .filter(([, entry]) => entry !== undefined)
      .slice(0, mostEntries)
      .map(([name, entry]) => [cleanText(name), mayShow(name, entry) ? cleanValue(entry, depth + 1, seen) : hidden]),
  )

// A problem's code is harmless, but an authorization code grants access: both are called `code`.
const mayShow = (name: string, entry: unknown): boolean => {
  if (/code$/i.test(name)) return typeof entry === 'number' || knownCodes.has(entry) || (typeof entry === 'string' && systemCode.test(entry))
  return !secretName.test(name)
}

/** Log levels; each includes those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A log in files of `folder` that begin with `name`, each at most 5 MB, six at most. Removes secrets and personal data
 * from every field and message first. A full disk does not end the program: up to a megabyte of lines waits for space.
 */
export const openLog = async (folder: string, level: LogLevel, name = 'fillbook'): Promise<{ readonly log: Log; readonly close: () => Promise<void> }> => {
  makeFolder(folder)
  const [{ pino }, { default: roll }] = await Promise.all([import('pino'), import('pino-roll')])
  // Windows allows these in no name; the log rolling rejects them on every system, with its own error.
  if (/[<>:"|?*]/.test(folder.replace(/^[A-Za-z]:/, ''))) throw Object.assign(new Error('The path of the log has a character that it cannot have'), { code: 'odd-path' })
  const file = await roll({
    file: join(folder, name),
    extension: '.log',
    size: '5m',
    sync: true,
    limit: { count: 5, removeOtherLogFiles: true },
    maxLength: 1_000_000,
  })
  file.on('error', () => undefined)
  const writer = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file)
  let open = true
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, message) => {
      // Cleaning costs more than writing: skip it if nothing would be written.
      if (open && writer.isLevelEnabled(name)) writer[name](cleanValue(fields), cleanText(message))
    }
  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    close: () =>
      new Promise((resolve) => {
        open = false
        file.once('close', resolve)
        // Lines that cannot be written now are dropped.
        file.once('error', () => resolve())
        file.end()
      }),
  }
}
