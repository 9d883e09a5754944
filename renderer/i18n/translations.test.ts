// @module-tag slow
import { createInstance } from 'i18next'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { languages } from './languages.ts'

const locales = fileURLToPath(new URL('locales/', import.meta.url))
const form = /_(zero|one|two|few|many|other)$/
const malayalam = /\p{Script=Malayalam}/u
/** What is called the same in every language: products, programs, units, and the names that files and fields bear. */
const names =
  /Fillbook|FILLBOOK_[A-Z_]+|Tradovate|NinjaTrader|AutoSync|TradeLogbook|Trade ?Copier( I{1,3})?|AIreport|Position ?Scanner|ManageSubscription|Operational|OpenAI|P&L|\b(CSV|PDF|Markdown|NQ|MB|ms|s|R|p\d\d)\b|Europe\/Berlin|Performance|Position History|Fills|Orders|Cash History|Account Balance History/g

type Sentence = { readonly key: string; readonly base: string; readonly form: string | null; readonly text: string }

const flatten = (value: unknown, path: string): [string, string][] =>
  typeof value === 'string' ? [[path, value]] : Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, path.endsWith(':') ? path + key : `${path}.${key}`))

const sentencesOf = (flat: readonly (readonly [string, string])[]): Sentence[] => flat.map(([key, text]) => ({ key, base: key.replace(form, ''), form: form.exec(key)?.[1] ?? null, text }))

const read = (language: string): Sentence[] =>
  sentencesOf(globSync(`${language}/*.json`, { cwd: locales }).sort().flatMap((path) => flatten(JSON.parse(readFileSync(locales + path, 'utf8')), `${basename(path, '.json')}:`)))

/** Placeholders, references to other sentences and tags, sorted. */
const partsOf = (text: string): string[] => (text.match(/\{\{[^}]*\}\}|\$t\([^)]*\)|<\/?\w+ ?\/?>/g) ?? []).map((part) => part.replaceAll(' ', '')).sort()

/** The keys that a language needs for what English says, with the forms of number of its own. */
const neededFor = (english: readonly Sentence[], tag: string): string[] => {
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const counted = new Set(english.filter((one) => one.form === 'other' && english.some(({ base, form: other }) => base === one.base && other === 'one')).map(({ base }) => base))
  return [...new Set(english.flatMap(({ key, base, form: of }) => (of !== null && counted.has(base) && of !== 'zero' ? forms.map((one) => `${base}_${one}`) : [key])))].sort()
}

const faultsOf = (english: readonly Sentence[], translated: readonly Sentence[], tag: string): string[] => {
  const needed = neededFor(english, tag)
  const keys = new Set(translated.map(({ key }) => key))
  const partsIn = (key: string): string[] | null => {
    const found = english.find((sentence) => sentence.key === key)
    return found ? partsOf(found.text) : null
  }
  const fits = ({ key, base, form: of, text }: Sentence): boolean => {
    const given = partsOf(text)
    const [same, most] = [partsIn(key), partsIn(`${base}_other`)]
    // Of one, a language may say the number or leave it out, as English does.
    if (of === 'one' && same !== null && most !== null) return given.every((part) => most.includes(part)) && same.every((part) => given.includes(part) || part === '{{count}}' || part === '{{shown}}')
    return given.join() === (same ?? most ?? given).join()
  }
  return [
    ...needed.filter((key) => !keys.has(key)).map((key) => `${key} is missing`),
    ...[...keys].filter((key) => !needed.includes(key)).map((key) => `${key} is not in English`),
    ...translated.filter((sentence) => !fits(sentence)).map(({ key, text }) => `${key} holds other placeholders or tags: ${text}`),
    ...translated.filter(({ text }) => text.trim() === '').map(({ key }) => `${key} is empty`),
  ]
}

/** Sentences with words left that are no names, and no word of Malayalam. */
const untranslated = (sentences: readonly Sentence[]): string[] =>
  sentences.filter(({ text }) => !malayalam.test(text) && /\p{L}/u.test(text.replace(/\{\{[^}]*\}\}|\$t\([^)]*\)/g, '').replace(names, ''))).map(({ key, text }) => `${key}: ${text}`)

const english = read('en')

/** The names that a file of sentences gives twice: JSON keeps the last alone. */
const doubled = (text: string): string[] => {
  const names: string[] = []
  const open: Set<string>[] = []
  for (const [, name, brace] of text.matchAll(/^ *"([^"]+)":|([{}])(?=,?$)/gm)) {
    const known = open.at(-1)
    if (name !== undefined) {
      if (known?.has(name) === true) names.push(name)
      known?.add(name)
    }
    if (brace === '}') open.pop()
    if (brace === '{') open.push(new Set())
  }
  return names
}

describe('every language says all that English says', () => {
  test('no sentence has the name of another one beside it', () => {
    expect(globSync('*/*.json', { cwd: locales }).flatMap((path) => doubled(readFileSync(locales + path, 'utf8')).map((name) => `${path}: ${name}`))).toEqual([])
    expect(doubled('{\n  "a": {\n    "b": "1"\n  },\n  "b": "2",\n  "a": "3"\n}')).toEqual(['a'])
  })
  test.each(languages.filter(({ code }) => code !== 'en'))('$code has every sentence, with its forms of number, its placeholders and its tags', ({ code, tag }) => {
    expect(english.length).toBeGreaterThan(1_000)
    expect(faultsOf(english, read(code), tag)).toEqual([])
  })
  test('Malayalam is written in Malayalam', () => {
    expect(untranslated(read('ml-IND'))).toEqual([])
  })
  test('Malayalam counts by its own rules, by the code that is saved', () => {
    const i18n = createInstance()
    void i18n.init({ lng: 'ml-IND', fallbackLng: false, initAsync: false, resources: { 'ml-IND': { translation: { trades_one: 'ഒന്ന്', trades_other: '{{count}} എണ്ണം' } } } })
    expect([1, 2].map((count) => i18n.t('trades', { count }))).toEqual(['ഒന്ന്', '2 എണ്ണം'])
  })
})

describe('the check itself', () => {
  const model = sentencesOf([['a:title', 'Hello {{name}}'], ['a:trades_one', '{{count}} trade'], ['a:trades_other', '{{count}} trades'], ['a:kind_one', 'Kind one']])
  const faults = (...flat: [string, string][]): string[] => faultsOf(model, sentencesOf(flat), 'ml-IN')
  const right: [string, string][] = [['a:title', '{{name}}, നമസ്കാരം'], ['a:trades_one', 'ഒരു ട്രേഡ്'], ['a:trades_other', '{{count}} ട്രേഡുകൾ'], ['a:kind_one', 'ഒന്ന്']]

  test('lets a true translation through', () => {
    expect(faults(...right)).toEqual([])
  })
  test('tells a missing sentence, a missing form, one too many, and a lost placeholder', () => {
    expect(faults(...right.slice(1))).toEqual(['a:title is missing'])
    expect(faults(...right.filter(([key]) => key !== 'a:trades_other'))).toEqual(['a:trades_other is missing'])
    expect(faults(...right, ['a:more', 'കൂടുതൽ'])).toEqual(['a:more is not in English'])
    expect(faults(...right.slice(1), ['a:title', 'നമസ്കാരം'])).toEqual(['a:title holds other placeholders or tags: നമസ്കാരം'])
    expect(faults(...right.slice(0, 2), ['a:trades_other', 'ട്രേഡുകൾ'], ['a:kind_one', 'ഒന്ന്'])).toEqual(['a:trades_other holds other placeholders or tags: ട്രേഡുകൾ'])
  })
  test('reports what is in English there', () => {
    expect(untranslated(sentencesOf([['a:b', 'Still English'], ['a:c', 'Tradovate'], ['a:d', '{{size}} MB'], ['a:e', 'TradeLogbook തുറക്കുക']]))).toEqual(['a:b: Still English'])
  })
})
