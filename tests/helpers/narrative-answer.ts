import type { Reference } from '#shared/api/reports.ts'

type Part = { readonly text: string } | Reference

const figuresIn = (text: string) => text.split(',') as Extract<Reference, { fact: string }>['figures']

const referenceOf = (text: string): Reference => {
  const [first = '', second = '', third = '', fourth = ''] = text.split(' ')
  const [figure] = figuresIn(first === 'compare' ? fourth : third)
  if (figure === undefined) throw new Error(`No reference: ${text}`)
  switch (first) {
    case 'name':
      return { name: second }
    case 'compare':
      return { compare: second, with: third, figure }
    case 'most':
      return { most: second as Extract<Reference, { most: string }>['most'], figure }
    case 'least':
      return { least: second as Extract<Reference, { most: string }>['most'], figure }
    case 'finding':
      return { finding: second }
    case 'evidence':
      return { evidence: second }
    default:
      return { fact: first, figures: figuresIn(second) }
  }
}

/** A sentence as a model gives it, from `Look at {f2 net,trades} and {compare f2 f3 net}.`; also `{name f2}`, `{most weekday net}`, `{least hour net}`, `{finding f8}` and `{evidence f8}`. */
const sentenceOf = (text: string): readonly Part[] => text.split(/(\{[^}]*\})/u).flatMap((part): Part[] => (part === '' ? [] : part.startsWith('{') ? [referenceOf(part.slice(1, -1))] : [{ text: part }]))

/** An answer of a model, from lines: `# overview` is a heading, `- …` an item, anything else a paragraph; ` | ` parts the sentences of one. */
export const answerOf = (...lines: readonly string[]): string =>
  JSON.stringify({
    passages: lines.map((line) => {
      if (line.startsWith('# ')) return { heading: line.slice(2) }
      const sentences = line.replace(/^- /u, '').split(' | ').map(sentenceOf)
      return line.startsWith('- ') ? { item: sentences } : { paragraph: sentences }
    }),
  })
