import { problemCode } from '#shared/api/problems.ts'
import { syncTrouble } from '#shared/api/sync.ts'

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
export const cleanText = (given: string): string => {
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
export const cleanValue = (value: unknown, depth = 0, seen: ReadonlySet<object> = new Set()): unknown => {
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
