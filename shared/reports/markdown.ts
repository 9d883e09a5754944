import type { ReportDocument } from '#shared/api/reports.ts'

type Block = ReportDocument['blocks'][number]
type Table = Extract<Block, { kind: 'table' }>
type Bars = Extract<Block, { kind: 'bars' }>

const barWidth = 20

/**
 * The document as GitHub Markdown, ending in a line feed. Escapes Markdown and HTML in its texts; their line ends become
 * spaces, or line breaks in a paragraph. Bars become a table with a drawn column, a curve its figures, a calendar a table.
 */
export const toMarkdown = ({ title, blocks }: ReportDocument): string => [`# ${inline(title)}`, ...blocks.map(blockText)].filter((text) => text !== '').join('\n\n') + '\n'

const blockText = (block: Block): string => {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level + 1)} ${inline(block.text)}`
    case 'paragraph':
      return paragraphText(block.text, block.tone)
    case 'list':
      return block.items.map((item) => `- ${inline(item)}`).join('\n')
    case 'table':
      return tableText(block)
    case 'bars':
      return barsText(block)
    case 'curve':
      return titled(block.title, [...block.figures.map(({ label, text }) => `- ${inline(`${label}: ${text}`)}`)].join('\n'))
    case 'calendar':
      return titled(block.title, tableText({ head: block.head, rows: block.rows.map((cells) => cells.map(({ label, text }) => [label, text].filter((part) => part !== '').join(': '))), figures: block.head.map((_, at) => at) }))
  }
}

const paragraphText = (text: string, tone: 'plain' | 'muted' | 'warning'): string => {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u).map(inline).filter((line) => line !== '')
  return tone === 'plain' ? lines.join('\\\n') : lines.map((line) => `> ${line}`).join('\\\n')
}

const titled = (title: string, text: string): string => [...(title === '' ? [] : [`**${inline(title)}**`]), text].join('\n\n')

const tableText = ({ head, rows, figures }: Pick<Table, 'head' | 'rows' | 'figures'>): string =>
  [row(head.map(escaped)), row(head.map((_, column) => (figures.includes(column) ? '---:' : '---'))), ...rows.map((cells) => row(head.map((_, column) => escaped(cells[column] ?? ''))))].join('\n')

const barsText = ({ title, bars }: Bars): string => {
  const largest = bars.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0)
  const drawn = bars.map(({ label, value, text, marked }) => row([marked ? `**${escaped(label)}**` : escaped(label), escaped(text), `${value < 0 ? '−' : ''}${'█'.repeat(largest === 0 ? 0 : Math.round((Math.abs(value) / largest) * barWidth))}`]))
  return [...(title === '' ? [] : [`**${inline(title)}**`, '']), row(['', '', '']), row(['---', '---:', '---']), ...drawn].join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const special = /[\\`*_[\]<>#|~&$@]/gu

// Control characters and line ends could start another block.
const escaped = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .replaceAll(special, (sign) => `\\${sign}`)
    .replaceAll('://', '\\://')
    .replaceAll(/www\./giu, (start) => `${start.slice(0, -1)}\\.`)

// Escapes what would start a block at the front of a line as well.
const inline = (text: string): string =>
  escaped(text)
    .replace(/^[-+=]/u, (sign) => `\\${sign}`)
    .replace(/^(\d+)([.)])/u, '$1\\$2')
