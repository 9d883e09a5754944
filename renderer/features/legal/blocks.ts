/** A paragraph, or a list of lines. */
export type Block = { readonly kind: 'paragraph'; readonly text: string } | { readonly kind: 'list'; readonly lines: readonly string[] }

const mark = '- '

/** The paragraphs and lists of a text: blank lines separate blocks, and list items begin with a dash. */
export const blocksOf = (text: string): readonly Block[] =>
  text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.split('\n')
      return lines.every((line) => line.startsWith(mark)) ? { kind: 'list', lines: lines.map((line) => line.slice(mark.length)) } : { kind: 'paragraph', text: block }
    })
