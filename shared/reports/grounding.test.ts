// @module-tag slow
import { describe, expect, it } from 'vitest'
import { measureName, type Passage, type Segment } from '#shared/api/reports.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { knownWeek as known } from '#tests/helpers/known-week.ts'
import { draftOf, readAnswer } from './answer.ts'
import { groundAnswer, groundNarrative, replacePassages, failedPassages } from './grounding.ts'
import { resolve } from './references.ts'

const segmentsOf = (text: string): readonly Segment[] => groundNarrative(text, known).passages.flatMap(({ segments }) => segments)
const checksOf = (text: string) => segmentsOf(text).flatMap((segment) => ('check' in segment && segment.check !== 'plain' ? [segment.check] : []))
const textOf = ({ segments }: Passage): string => segments.map((one) => ('text' in one ? one.text : 'says' in one ? '{}' : `# ${one.heading}`)).join('')

// Each is so, in a way of saying it of its own.
const right = [
  'The period came in at {f1 net,trades}',
  'Your results: {f1 net,gross,commission}.',
  'You see {f1 net} here.',
  '{f1 wins,losses,average}',
  'You recorded {f1 wins,trades,win-rate}, with {f1 profit-factor}.',
  'The summary shows {f1 average-win,average-loss}.',
  'Note {f1 largest-loss,drawdown}.',
  '{f1 profit-factor} stands here.',
  '{f1 longest-losses}, and then {f1 longest-wins}.',
  'A look at {f1 hold}, and at {f1 days}.',
  '{f1 days}',
  '{f2 net} and {f3 net,trades}.',
  '{f2 net}; {f3 net}.',
  'While {f2 net,trades} stands here, {f3 net,wins} stands there.',
  'On {f2 net,trades,wins}.',
  '{compare f2 f3 net}, {compare f3 f2 win-rate}.',
  '{compare f14 f2 average}',
  '{most weekday net} and {least weekday net}.',
  'The overview shows {most weekday win-rate}.',
  'In {f4 net,trades}.',
  'In {f5 net,trades} you had {f5 trades}.',
  'For {f6 net}.',
  'On {f7 net,trades}.',
  '{finding f8} | {evidence f8}',
  'A finding: {evidence f8}',
  'There is {f8 excess,excess-low,excess-high,chance}.',
  'There is {f8 average,average-other}.',
  'This shows {f9 net}.',
  'Also see {f10 net}.',
  '{finding f11} | {finding f13}',
  '{evidence f12}',
  'Figures across the period: | {f12 net,trades}',
  'Look at this: | {f13 share,commission,gross}',
]

// Remarks of a model, in which nothing is claimed.
const remarks = [
  'Discipline deserves a closer look.', 'A written plan helps to keep habits steady.', 'Patience around the open pays attention to itself.', 'It is worth a thought how these trades were entered.', 'The hours in {name f4} deserve a review.', 'Look again at {name f2} and at {name f5}.', 'Size and habit go together here.',
  'These trades speak for themselves.', 'Notes about mood and sleep may explain how the week went.', 'What follows is a description, and advice is left to you.', 'The data is thin, so read it with care.', 'Consider what your journal says about {name f12}.', 'Commission deserves attention as well.', 'Your P&L depends on how you enter and how you leave.', 'Here are the findings in order of size.',
]

describe('a sentence', () => {
  it.each(right)('of references and connecting words is proved: %s', (text) => {
    expect(new Set(checksOf(answerOf(...text.split(' | '))))).toEqual(new Set(['proved']))
  })

  it.each(remarks)('without claims is not marked: %s', (text) => {
    expect(checksOf(answerOf(text))).toEqual([])
  })

  it('that is marked shows the words at fault', () => {
    expect(segmentsOf(answerOf('You never really lost {f2 net,trades} there.'))).toEqual([
      { text: 'You ', check: 'plain', fact: null },
      { text: 'never really lost', check: 'unproved', fact: null },
      { text: ' ', check: 'plain', fact: null },
      { says: { fact: 'f2', figures: ['net', 'trades'] }, check: 'unproved' },
      { text: ' there.', check: 'plain', fact: null },
    ])
    expect(segmentsOf(answerOf('You never really lost.')).filter((one) => 'check' in one && one.check === 'unproved')).toEqual([{ text: 'never', check: 'unproved', fact: null }, { text: 'lost', check: 'unproved', fact: null }])
  })

  it('marks adjacent words as one segment, so that an account keeps its name', () => {
    const marked = (text: string) => segmentsOf(answerOf(text)).flatMap((one) => ('text' in one && one.check === 'unproved' ? [one.text] : []))
    expect(marked('Look at Account A and <b>Bold</b>, at account b and Account AB; the account is fine, P&L too.')).toEqual(['Account A', '<b>Bold</b>', 'account b', 'Account AB'])
    expect(marked('On {f2 net} for Account A')).toEqual(['Account A'])
  })

  it('counts proved figures and unproved sentences', () => {
    const { proved, unproved } = groundNarrative(answerOf('# overview', '{f1 net,trades} and {compare f2 f3 net}. | You made $5 there.', '- {f99 net}'), known)
    expect([proved, unproved]).toEqual([4, 2])
  })

  it('after unproved words is unproved, to the end of its passage and in the items that it introduces', () => {
    expect(checksOf(answerOf('{f1 net} | Longs only: | {f2 net}', '- {f3 net}', '- {f4 net}', '{f5 net}', '- {f9 net}'))).toEqual(['proved', 'unproved', 'unproved', 'unproved', 'unproved', 'proved', 'proved'])
    expect(checksOf(answerOf('- You never lost.', '- {f4 net}'))).toEqual(['unproved', 'proved'])
  })

  it('is separated from its neighbors, whatever the model left out', () => {
    const sentences = [[{ text: '  The period ' }, { text: 'came\n in at' }, { fact: 'f1', figures: ['net'] }, { fact: 'f2', figures: ['net'] }, { text: ' , and' }, { text: 'at' }, { name: 'f2' }], [], [{ text: 'Take care!' }], [{ text: '' }]]
    expect(groundNarrative(JSON.stringify({ passages: [{ paragraph: sentences }] }), known).passages.map(textOf)).toEqual(['The period came in at {} {}, andat {}. Take care!'])
  })
})

describe('a reference', () => {
  const of = (text: string) => {
    const [sentence] = readAnswer(answerOf(text))?.flatMap((passage) => (passage.kind === 'heading' ? [] : passage.sentences)) ?? []
    const [part] = sentence ?? []
    return part === undefined || part === null || 'text' in part ? null : resolve(part, known)
  }

  it('resolves only to facts of the report', () => {
    for (const missing of ['{f99 net}', '{f2 drawdown}', '{name f99}', '{compare f2 f4 win-rate}', '{compare f2 f2 net}', '{most day net}', '{most weekday gross}', '{finding f2}', '{evidence f99}', '{f11 hold}']) expect([missing, of(missing)]).toEqual([missing, null])
    expect(of('{f2 net,trades}')).toMatchObject({ is: 'figures', measures: [{ value: '-150.25' }, { value: '12' }] })
    expect(of('{name f2}')).toMatchObject({ is: 'name', fact: { id: 'f2' } })
    expect(of('{finding f8}')).toMatchObject({ is: 'finding', finding: { key: 'monday' } })
    expect(of('{finding f12}')).toMatchObject({ is: 'evidence', finding: { evidence: 'too-little' } })
  })

  it('compares exactly, and only within one currency', () => {
    expect([of('{compare f2 f3 net}'), of('{compare f3 f2 net}')]).toMatchObject([{ is: 'compared', sign: -1 }, { is: 'compared', sign: 1 }])
    const total = known.facts[0]
    if (total === undefined) throw new Error('There are facts')
    const other = (value: string, currency: string) => ({ ...known, facts: [total, { ...total, id: 'f20', measures: [{ name: 'net' as const, unit: 'money' as const, value, currency }] }] })
    const compared = (value: string, currency = 'USD') => resolve({ compare: 'f1', with: 'f20', figure: 'net' }, other(value, currency))
    expect([compared('1240.50'), compared('1240.5000001')]).toMatchObject([{ sign: 0 }, { sign: -1 }])
    expect(compared('1240.50', 'EUR')).toBeNull()
  })

  it('finds the highest and lowest of a complete group, if unique', () => {
    expect([of('{most weekday net}'), of('{least weekday net}'), of('{most weekday losses}'), of('{least weekday losses}')]).toMatchObject([{ is: 'extreme', fact: { id: 'f14' } }, { fact: { id: 'f2' } }, { fact: { id: 'f2' } }, { fact: { id: 'f3' } }])
    const without = (more: object, id = 'f14') => ({ ...known, facts: known.facts.map((fact) => (fact.id === id ? { ...fact, ...more } : fact)) })
    const most = (of_: typeof known) => resolve({ most: 'weekday', figure: 'net' }, of_)
    // Cut to its best and worst, of two currencies, or with two at the top.
    expect(most(without({ trades: 15 }))).toBeNull()
    expect(most(without({ measures: [{ name: 'net', unit: 'money', value: '9.00', currency: 'EUR' }] }))).toBeNull()
    expect(most(without({ measures: [{ name: 'net', unit: 'money', value: '200.000', currency: 'USD' }] }))).toBeNull()
  })

  it('has words for each figure', () => {
    for (const name of measureName.options) for (const fact of known.facts) expect(resolve({ fact: fact.id, figures: [name] }, known) !== null).toBe(fact.measures.some((one) => one.name === name) && !(fact.kind === 'early-exit' && name.startsWith('hold')))
  })
})

describe('an answer', () => {
  it('is parsed inside a code fence and if it broke off', () => {
    const whole = answerOf('# overview', 'The period came in at {f1 net}.', '- A second look.')
    const read = readAnswer(whole)
    expect(readAnswer(`\`\`\`json\n${whole}\n\`\`\``)).toEqual(read)
    for (let end = 0; end <= whole.length; end += 1) {
      const { passages, proved } = groundNarrative(whole.slice(0, end), known)
      expect(proved).toBeLessThanOrEqual(1)
      if (whole.slice(0, end).includes('"net"]}')) expect([passages[0], textOf(passages[1] ?? { kind: 'item', segments: [] })]).toEqual([{ kind: 'heading', segments: [{ heading: 'overview' }] }, expect.stringMatching(/^The period came in at \{\}\.?/)])
    }
  })

  it('keeps a gap for an invalid part, and drops invalid passages', () => {
    const { passages, unproved } = groundNarrative(JSON.stringify({ passages: [{ heading: 'Why you lost' }, 7, { paragraph: [[{ fact: 'f2', figures: [] }, { text: 'is', more: 1 }, { fact: 'f2', figures: ['net'] }]] }] }), known)
    expect([passages.map(textOf), unproved]).toEqual([['[…][…] {}.'], 1])
  })

  it('in another format is shown unchanged, all unproved', () => {
    for (const text of ['You made $1,240.50 [f1].', '{"report": "You made $1,240.50"}', '{"passages": []}', '[]', '{', '{"passages": [[[[[[[[[[[[[[[[']) {
      const { passages, proved, unproved } = groundNarrative(text, known)
      expect([proved, unproved, passages.map(textOf), checksOf(text)]).toEqual([0, 1, [text], ['unproved']])
    }
    const { passages } = groundNarrative('# What **happened** [f1]\n\nFirst line\nand `second`.\n---\n- An item\n* Another\n1. A third\n| Day | Net |\n|---|---|', known)
    expect(passages.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'item', 'item', 'item', 'item'])
    expect(passages.map(textOf)).toEqual(['What happened [f1]', 'First line and second.', 'An item', 'Another', 'A third', '| Day | Net |'])
    expect(groundNarrative(' \n\n---\n', known)).toEqual({ passages: [], proved: 0, unproved: 0 })
  })

  it('is readable while it is written', () => {
    const whole = answerOf('# overview', 'The period came in at {f1 net}. | A second look.', '- More')
    expect(draftOf(whole)).toBe('The period came in at […] . A second look.\n\nMore')
    expect(draftOf(whole.slice(0, whole.indexOf('came') + 2))).toBe('The period ca')
    expect([draftOf('Plain words'), draftOf('{"pas'), draftOf('')]).toEqual(['Plain words', '', ''])
    let longest = 0
    for (let end = 0; end < whole.length; end += 1) longest = Math.max(longest, draftOf(whole.slice(0, end)).length)
    expect(longest).toBeLessThanOrEqual(draftOf(whole).length)
  })

  it('has failed passages to ask for again, which better ones replace', () => {
    const answer = readAnswer(answerOf('{f1 net}', '- You lost {f2 net}', '- {f99 net}')) ?? []
    expect(failedPassages(answer, known)).toEqual([{ index: 1, failed: ['lost', '{"fact":"f2","figures":["net"]}'] }, { index: 2, failed: ['{"fact":"f99","figures":["net"]}'] }])
    const again = (line: string) => new Map([[1, (readAnswer(answerOf(line)) ?? [])[0] ?? { kind: 'heading' as const, heading: 'overview' as const }]])
    expect(groundAnswer(replacePassages(answer, again('- {f2 net}'), known), known).proved).toBe(2)
    for (const worse of ['- You lost and never won {f2 net}', '- You lost {f3 net}', '{f2 net}', '# overview']) expect(replacePassages(answer, again(worse), known)).toEqual(answer)
  })
})

describe('a long answer of anything', () => {
  const parts = ['[', '{', '{"', '"', '\\', '{"passages":[', '{"text":"never "},', '1,', 'lost ', '\n', '- $50 [f1]\n', '# Monday\n', '{"passages":[{"paragraph":[[{"text":"', '[]', '{}', '\u200b', 'lost\u0336']

  const expectSound = (size: number): void => {
    for (const part of parts) for (const before of ['', '{"passages":[{"paragraph":[[', '{"passages":[{"paragraph":[[{"text":"']) {
      const text = `${before}${part.repeat(Math.ceil(size / part.length))}`
      expect(groundNarrative(text, known).proved).toBe(0)
      draftOf(text)
    }
  }

  it('proves only references that resolve', () => {
    expectSound(5000)
  })

  // Anything that grew with the square of the text would take minutes.
  it('of 100 kB is checked in linear time', { tags: 'long' }, () => {
    expectSound(100_000)
  })
})
