import { describe, expect, it } from 'vitest'
import type { Passage, Segment } from '#shared/api/reports.ts'
import { groundNarrative } from '#shared/reports/grounding.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { knownWeek as known } from '#tests/helpers/known-week.ts'
import { traps } from './grounding-lies-of-before.ts'
import { claims, lies } from './grounding-lies.ts'

const segmentsOf = (text: string): readonly Segment[] => groundNarrative(text, known).passages.flatMap(({ segments }: Passage) => segments)
const checksOf = (text: string) => segmentsOf(text).flatMap((segment) => ('check' in segment ? [segment.check] : []))

const secondsOf = (ms: number): string => `${String(Math.floor(ms / 60_000))} min ${String((ms / 1000) % 60)} s`
const dollars = (value: number): string[] => [Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: 2 }), Math.abs(value).toLocaleString('en-US')].map((text) => `$${text}`)

/** Each figure of the fact that a text cites, as it is typed there, in place of which Fillbook could write it. */
const typedIn = (text: string): readonly (readonly [string, string])[] => {
  const fact = known.facts.find(({ id }) => id === /\[(f\d+)/u.exec(text)?.[1])
  return (fact?.measures ?? []).flatMap(({ name, unit, value }): [string, string][] => {
    const said = unit === 'money' ? dollars(Number(value)) : unit === 'share' ? [`${String(Math.round(Number(value) * 1000) / 10)} %`] : unit === 'time' ? [secondsOf(Number(value))] : [String(Number(value))]
    return said.map((typed) => [typed, `{${fact?.id ?? ''} ${name}}`])
  })
}
const typedNames = [[/\bMondays?\b/u, 'f2'], [/\bTuesdays?\b/u, 'f3'], [/\b9(?::00)? am\b/u, 'f4'], [/\bMES\b/u, 'f5'], [/\bAccount A\b/u, 'f6'], [/\bMarch 3\b/u, 'f7'], [/\bShorts\b/u, 'f9']] as const

/** The same in the form that is asked for, with references where its figures, and where its names stood. */
const inForm = (text: string): readonly string[] => {
  const plain = text.replaceAll(/\n|\||#+ /gu, ' ')
  const withFigures = typedIn(plain).reduce((said, [typed, reference]) => said.replace(new RegExp(`[-−]?${typed.replace(/[$.]/gu, '\\$&')}(?![\\d,.]*\\d)`, 'u'), () => reference), plain).replaceAll(/ ?\[f[^\]]*\]?/gu, '')
  const withNames = typedNames.reduce((said, [typed, id]) => said.replace(typed, `{name ${id}}`), withFigures)
  const typed = plain.replaceAll(/ ?\[f[^\]]*\]?/gu, '')
  return [...new Set([typed, withFigures, withNames])]
}

// Where Fillbook writes what a figure is, these say nothing wrong any more.
const become = { 'You have $1,240.50 [f1].': 'You have {f1 net}.' } as const

describe('a lie', () => {
  it.each(lies)('in the required form is marked: %s', (text) => {
    const checks = checksOf(answerOf(text))
    expect(checks).toContain('unproved')
    expect(checks).not.toContain('proved')
  })

  it.each(claims)('is recognized by one word: %s', (word, text) => {
    expect(checksOf(answerOf(text)).filter((check) => check === 'unproved')).toHaveLength(1)
    expect(checksOf(answerOf(text.replace(new RegExp(`\\b${word}\\b`, 'iu'), 'so')))).not.toContain('unproved')
  })

  it.each(traps)('from before is marked in each form: %s', (text) => {
    for (const said of inForm(text).filter((one) => one !== become[text as keyof typeof become])) {
      const checks = checksOf(answerOf(said))
      expect([said, checks.includes('proved'), checks.includes('unproved')]).toEqual([said, false, true])
    }
    // A plain model's own text is shown, and nothing of it is proved.
    expect(new Set(checksOf(text))).toEqual(new Set(['unproved']))
  })
})
