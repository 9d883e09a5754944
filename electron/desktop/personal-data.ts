/** What tells who the user is. */
export type Personal = {
  /** Names, ids and addresses that the journal knows. */
  readonly terms: readonly string[]
  readonly home: string
  readonly userName: string
  readonly dataDir: string
}

const hidden = '[removed]'

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

// Windows writes a path with either slash, and a URL with the other.
const pathPattern = (path: string): string => path.split(/[\\/]+/).map(escaped).join(String.raw`[\\/]+`)

const termPattern = (term: string): string => {
  const body = escaped(term).replace(/\s+/g, String.raw`[\s+_]+`)
  // A short name is part of many words.
  return term.length < 4 ? wholeWord(body) : body
}
const wholeWord = (body: string): string => String.raw`(?<![\p{L}\p{N}])${body}(?![\p{L}\p{N}])`

// Some letters change their number with their case, and a pattern knows nothing of that.
const inEveryCase = (term: string): readonly string[] => [term, term.toUpperCase(), term.toLowerCase()]

// Of an address the part before the @ is a name too.
const partsOf = (term: string): readonly string[] => {
  const whole = term.normalize('NFC').trim()
  const [local = ''] = whole.split('@')
  return whole.includes('@') && local.length > 3 ? [whole, local] : [whole]
}

const oneOf = (patterns: readonly string[], flags: string): RegExp | null => (patterns.length === 0 ? null : new RegExp(patterns.join('|'), flags))

const decodedOnce = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return hidden
    }
  })

// What was encoded on its way through several URLs is read as what it was.
const decoded = (text: string): string => decodedOnce(decodedOnce(decodedOnce(text)))

/** Gives the function that takes personal data out of a text: what is known of the user in any case and encoding, and whatever looks like an address, a token or an account number. */
export const cleanerOf = ({ terms, home, userName, dataDir }: Personal): ((text: string) => string) => {
  const known = [...new Set(terms.flatMap(partsOf).flatMap(inEveryCase))].filter((term) => term.length > 1).toSorted((one, other) => other.length - one.length)
  const ofUser = oneOf(known.map(termPattern), 'giu')
  const ofSystem = userName.length > 1 ? new RegExp(wholeWord(escaped(userName)), 'giu') : null
  const dataFolder = oneOf(dataDir.length > 1 ? [pathPattern(dataDir)] : [], 'giu')
  const homeFolder = oneOf(home.length > 1 ? [pathPattern(home)] : [], 'giu')
  const without = (text: string, pattern: RegExp | null, sign: string): string => (pattern === null ? text : text.replace(pattern, sign))
  return (given) => {
    const named = without(without(decoded(given).normalize('NFC'), dataFolder, '[data folder]'), homeFolder, '~')
    // Before the patterns, since half a name is still one.
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

// What the log says of itself; a text under any other name may be anybody's.
const ownWords: ReadonlySet<string> = new Set(['msg', 'time', 'level', 'method', 'code', 'outcome', 'side', 'thread', 'part', 'version', 'reason', 'status', 'said', 'kind', 'kinds', 'troubles', 'trigger', 'state', 'type', 'channel', 'decision', 'exitReason'])
const largeNumbers: ReadonlySet<string> = new Set(['time', 'pid', 'port', 'ms', 'bytes', 'size', 'rows', 'cursor', 'head', 'fills', 'records'])

/** One line of the log without personal data, as JSON; null for what is no entry of a log. `journalKnown` is false where the names in the journal could not be read: then the texts of errors are left out too. */
export const cleanLine = (line: string, clean: (text: string) => string, journalKnown: boolean): string | null => {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return null
  }
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? JSON.stringify(cleanFields(entry, { clean, journalKnown })) : null
}

type Way = { readonly clean: (text: string) => string; readonly journalKnown: boolean }

const cleanFields = (fields: object, way: Way): Record<string, unknown> => Object.fromEntries(Object.entries(fields).map(([name, value]) => [way.clean(name), cleanField(name, value, way)]))

const cleanField = (name: string, value: unknown, way: Way): unknown => {
  if (typeof value === 'string') return cleanText(name, value, way)
  if (typeof value === 'number') return Math.abs(value) < 10_000 || largeNumbers.has(name) ? value : '#'
  if (Array.isArray(value)) return value.map((entry) => cleanField(name, entry, way))
  return typeof value === 'object' && value !== null ? cleanFields(value, way) : value
}

const cleanText = (name: string, text: string, { clean, journalKnown }: Way): string => {
  if (name === 'time') return /^[\dT:.Z-]{20,30}$/.test(text) ? text : hidden
  if (name === 'path') return cleanPath(text, clean)
  if (name === 'message') return journalKnown ? clean(withoutQuoted(text)) : hidden
  if (name === 'stack') return cleanStack(text, clean, journalKnown)
  // Of names that of an error is ours.
  const isOurs = name === 'name' ? /^[A-Z]\w{0,40}Error$|^Error$/.test(text) : ownWords.has(name)
  return isOurs ? clean(withoutQuoted(text)) : hidden
}

// A path of the API names a record in some of its parts.
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
