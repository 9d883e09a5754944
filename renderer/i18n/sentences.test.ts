// @module-tag slow
import { problemCode } from '#shared/api/problems.ts'
import { syncTrouble } from '#shared/api/sync.ts'
import { readPage } from '../../build/page-parts.ts'
import { spokenEverywhere } from '../../build/page-weight.ts'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { escapePattern } from '#shared/base/escape-pattern.ts'

const renderer = fileURLToPath(new URL('..', import.meta.url))
const notSentences = /Fillbook|FILLBOOK_[A-Z_]+/g
const wordy = /\p{L}{2,}/u
const proseAttributes = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label', 'text', 'note', 'hint', 'description', 'shows', 'altText'])
const proseProperties = new Set(['title', 'text', 'label', 'description', 'placeholder'])

type Found = { readonly hardCoded: string[]; readonly uses: { namespaces: string[]; key: RegExp; where: string }[]; readonly unreadable: string[] }

/** The keys that an argument of `t` can name: literals, both arms of a choice, templates; null where it cannot be known. */
const keysOf = (node: ts.Expression | undefined): string[] | null => {
  if (!node) return null
  if (ts.isStringLiteralLike(node)) return [escapePattern(node.text)]
  if (ts.isParenthesizedExpression(node)) return keysOf(node.expression)
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [keysOf(node.whenTrue), keysOf(node.whenFalse)]
    return yes && no && [...yes, ...no]
  }
  if (ts.isTemplateExpression(node) && node.head.text !== '') {
    return [escapePattern(node.head.text) + node.templateSpans.map((span) => `[^.]+${escapePattern(span.literal.text)}`).join('')]
  }
  return null
}

/** Sentences and keys in the source of one file. */
const scan = (name: string, source: string): Found => {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const namespaces = [...source.matchAll(/(?:useTranslation\(|TFunction<)'([^']+)'/g)].flatMap(([, namespace]) => namespace ?? [])
  const found: Found = { hardCoded: [], uses: [], unreadable: [] }
  const where = (node: ts.Node): string => `${name}:${String(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)}`
  const judge = (node: ts.Node, text: string): void => {
    if (wordy.test(text.replaceAll(notSentences, ''))) found.hardCoded.push(`${where(node)} ${text.trim()}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) judge(node, node.text)
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression && ts.isStringLiteralLike(node.expression)) judge(node, node.expression.text)
    if (ts.isJsxAttribute(node) && proseAttributes.has(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer)) judge(node, node.initializer.text)
    if (ts.isPropertyAssignment(node) && proseProperties.has(node.name.getText()) && ts.isStringLiteralLike(node.initializer)) judge(node, node.initializer.text)
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      const keys = keysOf(node.arguments[0])
      if (!keys) found.unreadable.push(`${where(node)} ${node.getText()}`)
      for (const key of keys ?? []) {
        const [, named, rest] = /^([a-z-]+):(.+)$/.exec(key) ?? []
        found.uses.push({ namespaces: named ? [named] : namespaces, key: new RegExp(`^${rest ?? key}$`), where: `${where(node)} ${node.getText()}` })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const flatten = (value: unknown, path = ''): string[] =>
  typeof value === 'string' ? [path] : Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, path ? `${path}.${key}` : key))

/** Every key of a language's files as `namespace:key`, forms of number under one name. */
const keysIn = (language: string): string[] => {
  const keys = globSync(`i18n/locales/${language}/*.json`, { cwd: renderer }).flatMap((path) =>
    flatten(JSON.parse(readFileSync(renderer + path, 'utf8'))).map((key) => `${basename(path, '.json')}:${key.replace(/_(zero|one|two|few|many|other)$/, '')}`),
  )
  return [...new Set(keys)]
}

const missingOf = (found: Found, keys: readonly string[]): string[] =>
  found.uses.filter(({ namespaces, key }) => !keys.some((known) => namespaces.some((namespace) => known.startsWith(`${namespace}:`) && key.test(known.slice(namespace.length + 1))))).map(({ where }) => where)

const unusedOf = (all: readonly Found[], keys: readonly string[]): string[] =>
  keys.filter((known) => {
    const [namespace = '', key = ''] = known.split(/:(.*)/s)
    return !all.some(({ uses }) => uses.some((use) => use.namespaces.includes(namespace) && use.key.test(key)))
  })

const sources = globSync('**/*.{ts,tsx}', { cwd: renderer, exclude: (path) => /(\.test\.tsx?$)|(^dist$)/.test(path) })
const scanned = sources.map((path) => scan(path, readFileSync(renderer + path, 'utf8')))
const english = keysIn('en')

describe('the sentences of the product stand in the locale files', () => {
  test('no screen holds a sentence of its own', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(scanned.flatMap(({ hardCoded }) => hardCoded)).toEqual([])
  })
  test('every key is readable from the source', () => {
    expect(scanned.flatMap(({ unreadable }) => unreadable)).toEqual([])
  })
  test('no key is missing', () => {
    expect(scanned.flatMap((found) => missingOf(found, english))).toEqual([])
  })
  test('no key is unused', () => {
    expect(unusedOf(scanned, english)).toEqual([])
  })
  test('every reason for which a call fails has its words', () => {
    const codes = [...problemCode.options, 'program-unreachable']
    expect(codes.filter((code) => !english.includes(`problems:code.${code}`))).toEqual([])
  })
  test('everything that can stop a sync has its words', () => {
    expect(syncTrouble.shape.code.options.filter((code) => !english.includes(`sync:trouble.${code}`))).toEqual([])
  })
})

describe('sentences come with the part of the page that speaks them', () => {
  const page = readPage()
  const spokenBy = new Map(sources.map((path, at) => [`renderer/${path}`, (scanned[at]?.uses ?? []).flatMap(({ namespaces }) => namespaces)]))
  const speaks = (beginning: string): string[] => {
    const reached = new Set<string>()
    const visit = (path: string): void => {
      if (reached.has(path)) return
      reached.add(path)
      page.get(path)?.imports.forEach(visit)
    }
    visit(beginning)
    return [...new Set([...reached].flatMap((path) => spokenBy.get(path) ?? []))].filter((namespace) => !always.includes(namespace)).sort()
  }
  const always: readonly string[] = [...spokenEverywhere, 'error']
  const parts = [...page.values()].flatMap((file) => file.parts)

  test('what is there from the start speaks only what is there from the start', () => {
    expect(speaks('renderer/app/main.tsx')).toEqual([])
  })
  test('every part names what it speaks, and nothing else', () => {
    expect(parts.length).toBeGreaterThan(20)
    expect(parts.map(({ file, sentences }) => ({ file, sentences: sentences.toSorted() }))).toEqual(parts.map(({ file }) => ({ file, sentences: speaks(file) })))
  })
})

describe('the scan itself', () => {
  const page = `
    const { t } = useTranslation('auth')
    const a = <p title="Hard title">Hard text {'Hard child'} {t('there')} {t('gone')} {t(\`kind.\${kind}\`)} {t(name)}</p>
    toast({ title: 'Hard toast' })
    const b = <p className="not prose">{t(ok ? 'there' : 'other:far')} Fillbook</p>`
  const found = scan('page.tsx', page)

  test('sees what is written into a screen', () => {
    expect(found.hardCoded.map((line) => line.replace(/^\S+ /, ''))).toEqual(['Hard title', 'Hard text', 'Hard child', 'Hard toast'])
  })
  test('tells missing, unused and unreadable keys', () => {
    const keys = ['auth:there', 'auth:kind.one', 'auth:never', 'other:far']
    expect(missingOf(found, keys)).toEqual(["page.tsx:3 t('gone')"])
    expect(unusedOf([found], keys)).toEqual(['auth:never'])
    expect(found.unreadable).toEqual(['page.tsx:3 t(name)'])
  })
})
