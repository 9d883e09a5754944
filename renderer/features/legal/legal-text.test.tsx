import { expect, test } from 'vitest'
import { blocksOf } from './legal-text.tsx'

test('paragraphs stand apart by empty lines, and lines with dashes are a list', () => {
  expect(blocksOf('One.\n\n- Two\n- Three\n\nFour - five.')).toEqual([
    { kind: 'paragraph', text: 'One.' },
    { kind: 'list', lines: ['Two', 'Three'] },
    { kind: 'paragraph', text: 'Four - five.' },
  ])
})

test('a line without a dash makes it a paragraph, and nothing is nothing', () => {
  expect(blocksOf('- One\nTwo')).toEqual([{ kind: 'paragraph', text: '- One\nTwo' }])
  expect(blocksOf('')).toEqual([])
})
