import { expect, it } from 'vitest'
import { toMarkdown } from './markdown.ts'

it('writes headings, paragraphs, lists, tables and bars', () => {
  expect(
    toMarkdown({
      title: 'Week of 2 March',
      blocks: [
        { kind: 'heading', level: 1, text: 'Findings' },
        { kind: 'paragraph', text: 'One line\nand another', tone: 'plain' },
        { kind: 'paragraph', text: 'Could be chance', tone: 'muted' },
        { kind: 'list', items: ['First', 'Second'] },
        { kind: 'table', head: ['Day', 'Net'], rows: [['Monday', '−$150.25'], ['Tuesday']], figures: [1] },
        { kind: 'bars', title: 'By hour', bars: [{ label: '09', value: 200, text: '+$200', marked: true }, { label: '10', value: -50, text: '−$50', marked: false }, { label: '11', value: 0, text: '$0', marked: false }] },
      ],
    }),
  ).toBe(
    [
      '# Week of 2 March',
      '## Findings',
      'One line\\\nand another',
      '> Could be chance',
      '- First\n- Second',
      '| Day | Net |\n| --- | ---: |\n| Monday | −\\$150.25 |\n| Tuesday |  |',
      '**By hour**\n\n|  |  |  |\n| --- | ---: | --- |\n| **09** | +\\$200 | ████████████████████ |\n| 10 | −\\$50 | −█████ |\n| 11 | \\$0 |  |',
      '',
    ].join('\n\n').replace(/\n\n$/, '\n'),
  )
})

it('writes a curve as its figures and a calendar as a table', () => {
  expect(
    toMarkdown({
      title: 'x',
      blocks: [
        { kind: 'curve', title: 'By day', points: [0, 2], levels: [], marks: [], figures: [{ label: 'End', text: '+2.00' }] },
        { kind: 'calendar', title: 'June', head: ['Mon', 'Week'], rows: [[{ label: '1', text: '+2', value: 2 }, { label: '', text: '+2', value: 2 }], [{ label: '8', text: '', value: null }]] },
      ],
    }),
  ).toBe('# x\n\n**By day**\n\n- End: +2.00\n\n**June**\n\n| Mon | Week |\n| ---: | ---: |\n| 1: +2 | +2 |\n| 8 |  |\n')
})

it('escapes all Markdown and HTML in texts', () => {
  const textOf = (text: string): string => toMarkdown({ title: 'x', blocks: [{ kind: 'list', items: [text] }] }).slice('# x\n\n- '.length, -1)
  expect(textOf('# not a heading')).toBe('\\# not a heading')
  expect(textOf('<b>&amp; *a* _b_ `c` ~d~ [e](f) |g| \\h')).toBe('\\<b\\>\\&amp; \\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\[e\\](f) \\|g\\| \\\\h')
  expect(textOf('1. x')).toBe('1\\. x')
  expect(textOf('2) x')).toBe('2\\) x')
  expect(textOf('- x')).toBe('\\- x')
  expect(textOf('+ x')).toBe('\\+ x')
  expect(textOf('---')).toBe('\\---')
  expect(textOf('=== x')).toBe('\\=== x')
  expect(textOf('a\n\n# b\r\nc\u2028d\u200be\u0000f')).toBe('a \\# b c d e f')
  expect(textOf('https://a.example www.b.example c@d.example')).toBe('https\\://a.example www\\.b.example c\\@d.example')
  expect(toMarkdown({ title: '', blocks: [{ kind: 'table', head: ['a|b'], rows: [['c\nd | e']], figures: [] }] })).toBe('# \n\n| a\\|b |\n| --- |\n| c d \\| e |\n')
})
