import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(root + path, 'utf8')

/** A file that the document names, and what it is said to hold. */
type Named = { readonly path: string; readonly quotes: readonly string[] }

/** Every link into the project, with the quotes that stand behind it up to the next link or sentence. */
const namedIn = (document: string): Named[] =>
  [...document.matchAll(/\]\(\.\.\/([^)]+)\)((?:(?:, | and |, and | )?`[^`]+`)*)/g)].map(([, path = '', behind = '']) => ({
    path,
    // A bar inside a table has to be escaped.
    quotes: [...behind.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote.replaceAll('\\|', '|')),
  }))

const missingOf = (named: readonly Named[]): string[] =>
  named.flatMap(({ path, quotes }) => {
    if (statSync(root + path, { throwIfNoEntry: false }) === undefined) return [path]
    const content = read(path)
    return quotes.filter((quote) => !content.includes(quote)).map((quote) => `${path}: ${quote}`)
  })

const table = read('docs/desktop-security.md')

describe('the document on the security of the desktop', () => {
  test('names only files that there are, and quotes what they hold', () => {
    const named = namedIn(table)
    expect(missingOf(named)).toEqual([])
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ quotes }) => quotes.length === 0)).toEqual([])
  })
  test('has a line for each of the twenty recommendations, and each is held by something', () => {
    const rows = [...table.matchAll(/^\| ([\d, ]+) \|(.*)\|$/gm)].map(([, numbers = '', rest = '']) => ({ numbers: numbers.split(', ').map(Number), held: namedIn(rest).length }))
    expect(rows.flatMap(({ numbers }) => numbers)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(rows.filter(({ held }) => held === 0)).toEqual([])
  })
})

const attacks = [
  ...['DNS rebinding', 'Cross-site request', 'Forged Host', 'Reused launch token', 'Path traversal', 'Oversized and deeply nested JSON', 'Prototype pollution', 'SQL injection', 'Stored script'],
  ...['SVG and HTML as screenshot', 'Formula in exported CSV', 'Token in log', 'Replayed webhook', 'Forged ID token', 'User A naming user B', 'A body that raises its own plan', 'Open redirect in the OAuth return', 'Missing or foreign state'],
  ...['Filling up the cloud', 'Asking the cloud for much at once', 'Heavy documents for a PDF', "Reading the embedded cloud's files", 'Deleted account in the data folder'],
]

/** The first and the last cell of each line of the tables of a document that have three. */
const linesIn = (document: string): { readonly what: string; readonly held: readonly Named[] }[] =>
  [...document.matchAll(/^\| (.+?) \| .+ \| (\[.+) \|$/gm)].map(([, what = '', held = '']) => ({ what, held: namedIn(held) }))

describe('the document on security', () => {
  const document = read('docs/security.md')
  test('names only files that there are, and quotes what they hold', () => {
    expect(missingOf(namedIn(document))).toEqual([])
    expect(namedIn(document).length).toBeGreaterThan(45)
  })
  test('has a line for each attack, held by a test of that name', () => {
    const tried = linesIn(document).filter(({ held }) => held.length > 0)
    expect(tried.slice(0, attacks.length).map(({ what }) => what)).toEqual(attacks)
    const untested = tried.flatMap(({ what, held }) => {
      const tests = held.filter(({ path }) => /\.(test|spec|long)\.ts$/.test(path))
      // The whole name of a test, and not only a word of its file.
      const names = tests.flatMap(({ path, quotes }) => quotes.filter((quote) => !['\'', '"', '`'].some((mark) => read(path).includes(mark + quote + mark))))
      return tests.length === 0 || tests.every(({ quotes }) => quotes.length === 0) ? [what] : names
    })
    expect(untested).toEqual([])
  })
})

test('no window enables an experiment or weakens an Electron default', () => {
  const sources = globSync('electron/{desktop,preload}/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(20)
  const loosened = /experimentalFeatures|enableBlinkFeatures|allowpopups|webSecurity: false|contextIsolation: false|nodeIntegration\w*: true|webviewTag: true|allowRunningInsecureContent: true|ignore-certificate-errors|no-sandbox|setCertificateVerifyProc|certificate-error/
  expect(sources.filter((path) => loosened.test(read(path)))).toEqual([])
  expect(sources.filter((path) => read(path).includes('sandbox: false'))).toEqual(['electron/desktop/diagnostics.ts'])
})

test('a file that is gone and a quote that no longer holds are seen', () => {
  expect(missingOf(namedIn('[a](../build/nowhere.ts) `x`; [b](../package.json) `"name": "fillbook"`, `"nothing of the kind"`'))).toEqual(['build/nowhere.ts', 'package.json: "nothing of the kind"'])
})
