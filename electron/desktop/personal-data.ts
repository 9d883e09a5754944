/** Data that identifies the user. */
export type Personal = {
  /** Names, ids and email addresses from the journal. */
  readonly terms: readonly string[]
  readonly home: string
  readonly userName: string
  readonly dataDir: string
}

const hidden = '[removed]'

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

// Windows accepts both slashes in a path, and URLs use the other one.
const pathPattern = (path: string): string => path.split(/[\\/]+/).map(escaped).join(String.raw`[\\/]+`)

const termPattern = (term: string): string => {
  const body = escaped(term).replace(/\s+/g, String.raw`[\s+_]+`)
  // A short name occurs inside many words.
  return term.length < 4 ? wholeWord(body) : body
}
const wholeWord = (body: string): string => String.raw`(?<![\p{L}\p{N}])${body}(?![\p{L}\p{N}])`

// Changing case can change the number of letters (ß, SS), which the `i` flag does not cover.
const inEveryCase = (term: string): readonly string[] => [term, term.toUpperCase(), term.toLowerCase()]

// The local part of an email address is a name too.
const partsOf = (term: string): readonly string[] => {
  const whole = term.normalize('NFC').trim()
  const [local = ''] = whole.split('@')
  return whole.includes('@') && local.length > 3 ? [whole, local] : [whole]
}

const oneOf = (patterns: readonly string[]): RegExp | null => (patterns.length === 0 ? null : new RegExp(patterns.join('|'), 'giu'))

const decodedOnce = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return hidden
    }
  })

// Text may be URL-encoded several times on its way through redirects.
const decoded = (text: string): string => decodedOnce(decodedOnce(decodedOnce(text)))

/** Returns a function that removes personal data from a text: known user data in any case and encoding, and everything that looks like an address, a token or an account number. */
export const createRedactor = ({ terms, home, userName, dataDir }: Personal): ((text: string) => string) => {
  const known = [...new Set(terms.flatMap(partsOf).flatMap(inEveryCase))].filter((term) => term.length > 1).toSorted((one, other) => other.length - one.length)
  const ofUser = oneOf(known.map(termPattern))
  const ofSystem = userName.length > 1 ? new RegExp(wholeWord(escaped(userName)), 'giu') : null
  const dataFolder = oneOf(dataDir.length > 1 ? [pathPattern(dataDir)] : [])
  const homeFolder = oneOf(home.length > 1 ? [pathPattern(home)] : [])
  const without = (text: string, pattern: RegExp | null, sign: string): string => (pattern === null ? text : text.replace(pattern, sign))
  return (given) => {
    const named = without(without(decoded(given).normalize('NFC'), dataFolder, '[data folder]'), homeFolder, '~')
    // Known terms go before the patterns, which could leave half of a name.
    return without(without(named, ofUser, hidden), ofSystem, '~')
      .replace(/(?:[a-z]:)?[\\/](?:users|home)[\\/](?:[^\\/\n"':]{1,64}(?=[\\/])|[^\\/\s"':]+)/gi, '~')
      .replace(/[^\s"'<>@:,;=()]{1,64}@[^\s"'<>@,;=()]+/g, hidden)
      .replace(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
      .replace(/\beyJ[\w-]+(?:\.[\w-]*){0,2}/g, hidden)
      .replace(/([?#&][\w.~%-]+=)[^\s"'<>]*/g, `$1${hidden}`)
      .replace(/((?:token|secret|passw\w*|cookie|code|state|recovery\w*|authorization|ticket)["']?\s*[=:]\s*["']?)[^\s"',;}&]+/gi, `$1${hidden}`)
      .replace(/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi, hidden)
      .replace(/\d{5,}/g, '#')
  }
}

// Fields whose text the program writes itself; text in any other field may be personal.
const ownWords: ReadonlySet<string> = new Set(['msg', 'time', 'level', 'method', 'code', 'outcome', 'side', 'thread', 'part', 'version', 'reason', 'status', 'said', 'kind', 'kinds', 'troubles', 'trigger', 'state', 'type', 'channel', 'decision', 'exitReason'])
const largeNumbers: ReadonlySet<string> = new Set(['time', 'pid', 'port', 'ms', 'bytes', 'size', 'rows', 'cursor', 'head', 'fills', 'records'])

/** One log line as JSON without personal data; null if it is not a log entry. `journalKnown` is false if the journal's names could not be read: then error texts are removed too. */
export const redactLine = (line: string, clean: (text: string) => string, journalKnown: boolean): string | null => {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return null
  }
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? JSON.stringify(cleanFields(entry, { clean, journalKnown })) : null
}

type Redaction = { readonly clean: (text: string) => string; readonly journalKnown: boolean }

const cleanFields = (fields: object, redaction: Redaction): Record<string, unknown> => Object.fromEntries(Object.entries(fields).map(([name, value]) => [redaction.clean(name), cleanField(name, value, redaction)]))

const cleanField = (name: string, value: unknown, redaction: Redaction): unknown => {
  if (typeof value === 'string') return cleanText(name, value, redaction)
  if (typeof value === 'number') return Math.abs(value) < 10_000 || largeNumbers.has(name) ? value : '#'
  if (Array.isArray(value)) return value.map((entry) => cleanField(name, entry, redaction))
  return typeof value === 'object' && value !== null ? cleanFields(value, redaction) : value
}

const cleanText = (name: string, text: string, { clean, journalKnown }: Redaction): string => {
  if (name === 'time') return /^[\dT:.Z-]{20,30}$/.test(text) ? text : hidden
  if (name === 'path') return cleanPath(text, clean)
  if (name === 'message') return journalKnown ? clean(withoutQuoted(text)) : hidden
  if (name === 'stack') return cleanStack(text, clean, journalKnown)
  // Only an error's class name is safe under `name`.
  const isOurs = name === 'name' ? /^[A-Z]\w{0,40}Error$|^Error$/.test(text) : ownWords.has(name)
  return isOurs ? clean(withoutQuoted(text)) : hidden
}

// API paths contain record ids.
const cleanPath = (path: string, clean: (text: string) => string): string => clean(path.split('/').map((part) => (/^[a-z][a-z-]{0,40}$/i.test(part) || part === '' ? part : '…')).join('/'))

// Quoted parts are user data: a parser quotes the text that it could not parse.
const withoutQuoted = (text: string): string => text.replace(/"[^\n]*"/g, '"…"').replace(/`[^\n]*`/g, '`…`').replace(/(?<!\w)'[^\n]*'(?!\w)/g, "'…'")

const cleanStack = (stack: string, clean: (text: string) => string, journalKnown: boolean): string => {
  const lines = stack.split('\n')
  const isPlace = (line: string): boolean => /^\s+at /.test(line)
  // The position at the end of a line has numbers of any length.
  const place = (line: string): string => {
    const [, before = line, at = ''] = /^(.*?)((?::\d{1,7}){1,2}\)?)$/.exec(line) ?? []
    return `${clean(before)}${at}`
  }
  return [...(journalKnown ? lines.filter((line) => !isPlace(line)).map((line) => clean(withoutQuoted(line))) : []), ...lines.filter(isPlace).map(place)].join('\n')
}
