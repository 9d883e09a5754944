import { z } from 'zod'
import { narrativeHeading, reference } from '#shared/api/reports.ts'

const part = z.union([z.strictObject({ text: z.string() }), ...reference.options])
const sentences = z.array(z.array(part))
const answerShape = z.strictObject({ passages: z.array(z.union([z.strictObject({ heading: narrativeHeading }), z.strictObject({ paragraph: sentences }), z.strictObject({ item: sentences })])) })

/** A part of a model's sentence: words or a reference; null if it is neither. */
export type AnswerPart = z.infer<typeof part> | null
/** A passage of a model's answer. */
export type AnswerPassage = { readonly kind: 'heading'; readonly heading: z.infer<typeof narrativeHeading> } | { readonly kind: 'paragraph' | 'item'; readonly sentences: readonly (readonly AnswerPart[])[] }

/** The JSON schema of an answer, without the constraints that some endpoints reject. */
export const answerSchema: Record<string, unknown> = z.toJSONSchema(answerShape, {
  reused: 'ref',
  override: ({ jsonSchema }) => {
    delete jsonSchema.pattern
    delete jsonSchema.minItems
    delete jsonSchema.maxItems
  },
})

// Drops invalid passages; an invalid part becomes a gap in its sentence.
const gaps = z.array(z.array(z.union([part, z.unknown().transform(() => null)])))
const passageShape = z.union([
  z.object({ heading: narrativeHeading }).transform(({ heading }): AnswerPassage => ({ kind: 'heading', heading })),
  z.object({ paragraph: gaps }).transform(({ paragraph }): AnswerPassage => ({ kind: 'paragraph', sentences: paragraph })),
  z.object({ item: gaps }).transform(({ item }): AnswerPassage => ({ kind: 'item', sentences: item })),
])

/** Parses an answer, also inside a code fence or if it broke off; null if it has another format. */
export const readAnswer = (text: string): readonly AnswerPassage[] | null => {
  const start = text.indexOf('{')
  if (start < 0 || !/^\s*(?:```(?:json)?\s*)?$/u.test(text.slice(0, start))) return null
  const whole = z.object({ passages: z.array(z.unknown()) }).safeParse(closedJson(text.slice(start).trimEnd().replace(/```$/u, '')))
  if (!whole.success) return null
  const passages = whole.data.passages.flatMap((passage) => passageShape.safeParse(passage).data ?? [])
  return passages.length === 0 ? null : passages
}

/** The words of an unfinished answer, with `[…]` for each reference. */
export const draftOf = (text: string): string => {
  if (!/^\s*(?:```|\{)/u.test(text)) return text
  const wordsOf = (passage: AnswerPassage): string => (passage.kind === 'heading' ? '' : passage.sentences.map((sentence) => sentence.map((one) => (one !== null && 'text' in one ? one.text.trim() : '[…]')).join(' ')).join(' '))
  return (readAnswer(text) ?? []).map(wordsOf).filter((words) => words !== '').join('\n\n')
}

const maxDepth = 12

/** Parses JSON that may have broken off: closes it at its end or after its last complete value; undefined if neither parses. */
const closedJson = (text: string): unknown => {
  const open: string[] = []
  let [inString, end, endsOpen] = [false, 0, '']
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (open.length > maxDepth) return undefined
    if (inString) {
      if (sign === '\\') at += 1
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']')
    else if (sign === '}' || sign === ']') {
      open.pop()
      end = at + 1
      endsOpen = open.toReversed().join('')
    }
  }
  return parsed(text) ?? parsed(`${text.replace(/\\$/u, '')}${inString ? '"' : ''}${open.toReversed().join('')}`) ?? parsed(`${text.slice(0, end)}${endsOpen}`)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
