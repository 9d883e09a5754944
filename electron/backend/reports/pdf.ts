import type { ReportDocument } from '#shared/api/reports.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import { area, areaWidth, lineHeight, openPages, type Pages, type Style } from './pdf-page.ts'
import { columnWidths } from './pdf-text.ts'

type Block = ReportDocument['blocks'][number]
type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

const ink = '#111827'
const titleStyle: Style = { font: 'bold', size: 20, color: ink }
const headings: Readonly<Record<1 | 2 | 3, Style>> = { 1: { font: 'bold', size: 14, color: ink }, 2: { font: 'bold', size: 11, color: ink }, 3: { font: 'bold', size: 10, color: ink } }
const chartTitle: Style = { font: 'bold', size: 9, color: '#374151' }
const texts: Readonly<Record<Of<'paragraph'>['tone'], Style>> = { plain: { font: 'regular', size: 10, color: ink }, muted: { font: 'regular', size: 9, color: '#6b7280' }, warning: { font: 'regular', size: 10, color: '#92400e' } }
const cellStyle: Style = { font: 'regular', size: 8.5, color: ink }
const headStyle: Style = { font: 'bold', size: 8.5, color: '#374151' }
const line = '#e5e7eb'
const [padding, indent, barHeight, labelWidth, figureWidth] = [4, 14, 9, 110, 90]
const [plainBar, markedBar, axis] = ['#9ca3af', '#2563eb', '#6b7280']

/** Draws lines below each other, over page breaks. */
const flow = (pages: Pages, lines: readonly string[], x: number, style: Style): void => {
  for (const text of lines) {
    if (!pages.fits(lineHeight(style))) pages.newPage()
    pages.line(text, x, pages.y(), style)
    pages.down(lineHeight(style))
  }
}

const heading = (pages: Pages, text: string, style: Style): void => {
  const lines = pages.lines(text, areaWidth, style)
  if (pages.y() > area.top) pages.down(style.size * 0.7)
  // Keep a heading with the first lines below it.
  if (!pages.fits(lines.length * lineHeight(style) + 48)) pages.newPage()
  flow(pages, lines, area.left, style)
  pages.down(3)
}

const paragraph = (pages: Pages, { text, tone }: Of<'paragraph'>): void => {
  flow(pages, pages.lines(text, areaWidth, texts[tone]), area.left, texts[tone])
  pages.down(5)
}

const list = (pages: Pages, { items }: Of<'list'>): void => {
  const style = texts.plain
  for (const item of items) {
    const lines = pages.lines(item, areaWidth - indent, style)
    if (!pages.fits(lineHeight(style))) pages.newPage()
    pages.line('•', area.left + 3, pages.y(), style)
    flow(pages, lines, area.left + indent, style)
    pages.down(2)
  }
  pages.down(3)
}

type Row = { readonly cells: readonly string[][]; readonly height: number; readonly style: Style }

const table = (pages: Pages, { head, rows, figures }: Of<'table'>): void => {
  const [inCells, inHead] = [pages.widthIn(cellStyle), pages.widthIn(headStyle)]
  const widest = (text: string, widthOf: typeof inCells): number => text.split('\n').reduce((most, part) => Math.max(most, widthOf(part)), 0)
  const wanted = head.map((title, column) => 2 * padding + rows.reduce((most, row) => Math.max(most, widest(row[column] ?? '', inCells)), widest(title, inHead)) + 1)
  const widths = columnWidths(wanted, areaWidth)
  const rightAligned = new Set(figures)
  const rowOf = (texts: readonly string[], style: Style): Row => {
    const cells = widths.map((width, column) => pages.lines(texts[column] ?? '', width - 2 * padding, style))
    return { cells, style, height: Math.max(...cells.map((lines) => lines.length)) * lineHeight(style) + padding }
  }
  const top = rowOf(head, headStyle)
  /** Draws at most `most` lines of a row from `first` on; returns the next line to draw. */
  const part = ({ cells, style }: Row, first: number, most: number): number => {
    const y = pages.y()
    let x: number = area.left
    cells.forEach((lines, column) => {
      const width = widths[column] ?? 0
      lines.slice(first, first + most).forEach((text, index) => pages.line(text, x + padding, y + padding / 2 + index * lineHeight(style), style, rightAligned.has(column) ? { right: x + width - padding } : undefined))
      x += width
    })
    pages.down(Math.min(most, Math.max(...cells.map((lines) => lines.length)) - first) * lineHeight(style) + padding)
    pages.box(area.left, pages.y() - 0.5, areaWidth, 0.5, line)
    return first + most
  }
  const drawHead = (): void => {
    part(top, 0, top.cells.reduce((most, lines) => Math.max(most, lines.length), 1))
  }
  const nextPage = (): void => {
    pages.newPage()
    drawHead()
  }
  if (!pages.fits(top.height + 2 * lineHeight(cellStyle))) pages.newPage()
  drawHead()
  for (const texts of rows) {
    const row = rowOf(texts, cellStyle)
    const count = Math.max(...row.cells.map((lines) => lines.length))
    if (!pages.fits(row.height) && row.height < (area.bottom - area.top) / 2) nextPage()
    for (let first = 0; first < count; ) {
      const room = Math.floor((area.bottom - pages.y() - padding) / lineHeight(cellStyle))
      if (room < 1) nextPage()
      else first = part(row, first, Math.min(room, count - first))
    }
  }
  pages.down(8)
}

const bars = (pages: Pages, { title, bars: all }: Of<'bars'>): void => {
  const step = barHeight + 4
  if (!pages.fits(Math.min(lineHeight(chartTitle) + 2 + all.length * step, area.bottom - area.top))) pages.newPage()
  flow(pages, pages.lines(title, areaWidth, chartTitle), area.left, chartTitle)
  pages.down(2)
  const [lowest, highest] = all.reduce(([low, high], { value }) => [Math.min(low, value), Math.max(high, value)], [0, 0])
  const room = areaWidth - labelWidth - figureWidth
  const scale = highest === lowest ? 0 : room / (highest - lowest)
  const zero = area.left + labelWidth - lowest * scale
  for (const { label, value, text, marked } of all) {
    if (!pages.fits(step)) pages.newPage()
    const y = pages.y()
    const style = { ...cellStyle, size: 8 }
    pages.line(pages.lines(label, labelWidth - 8, style)[0] ?? '', area.left, y, style)
    pages.box(Math.min(zero, zero + value * scale), y + 1, Math.abs(value * scale), barHeight, marked ? markedBar : plainBar)
    pages.box(zero - 0.25, y, 0.5, step, axis)
    pages.line(text, 0, y, { ...style, font: marked ? 'bold' : 'regular' }, { right: area.right })
    pages.down(step)
  }
  pages.down(8)
}

const curveHeight = 150
const [curveLine, zeroLine] = ['#2563eb', '#9ca3af']

const curve = (pages: Pages, { title, points, levels, marks, figures }: Of<'curve'>): void => {
  const style: Style = { font: 'regular', size: 8, color: '#6b7280' }
  if (!pages.fits(lineHeight(chartTitle) + curveHeight + 2 * lineHeight(style) + 12)) pages.newPage()
  flow(pages, pages.lines(title, areaWidth, chartTitle), area.left, chartTitle)
  pages.down(6)
  const left = area.left + levels.reduce((most, { text }) => Math.max(most, pages.widthIn(style)(text)), 0) + 6
  const width = area.right - left
  const [lowest, highest] = points.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0])
  const [top, scale, step] = [pages.y(), highest === lowest ? 0 : curveHeight / (highest - lowest), points.length < 2 ? 0 : width / (points.length - 1)]
  const yOf = (value: number): number => top + (highest - value) * scale
  for (const { value, text } of levels) {
    pages.stroke([[left, yOf(value)], [area.right, yOf(value)]], 0.5, value === 0 ? zeroLine : line)
    pages.line(text, 0, yOf(value) - lineHeight(style) / 2, style, { right: left - 6 })
  }
  pages.stroke(points.map((value, at): [number, number] => [left + at * step, yOf(value)]), 1.2, curveLine)
  pages.down(curveHeight + 3)
  let free: number = area.left
  for (const { at, text } of marks) {
    const wide = pages.widthIn(style)(text)
    const x = Math.min(left + at * step - wide / 2, area.right - wide)
    if (x < free) continue
    pages.line(text, x, pages.y(), style)
    free = x + wide + 8
  }
  pages.down(lineHeight(style) + 2)
  flow(pages, pages.lines(figures.map(({ label, text }) => `${label} ${text}`).join('  ·  '), areaWidth, cellStyle), area.left, cellStyle)
  pages.down(8)
}

const [cellHeight, cellGap] = [26, 2]
const grounds = { gain: '#d1fae5', loss: '#fee2e2', even: '#f3f4f6' } as const

const calendar = (pages: Pages, { title, head, rows }: Of<'calendar'>): void => {
  const labelStyle: Style = { font: 'regular', size: 6.5, color: '#6b7280' }
  const width = areaWidth / head.length
  const headHeight = lineHeight(headStyle) + 2
  /** Shrinks the text until it fits its cell. */
  const fitting = (text: string): Style => {
    const wide = pages.widthIn(cellStyle)(text)
    return wide <= width - 8 ? cellStyle : { ...cellStyle, size: (cellStyle.size * (width - 8)) / wide }
  }
  const drawHead = (): void => {
    head.forEach((text, at) => pages.line(pages.lines(text, width - 4, headStyle)[0] ?? '', area.left + at * width + 2, pages.y(), headStyle))
    pages.down(headHeight)
  }
  // Keep a month on one page if it fits.
  const whole = lineHeight(chartTitle) + headHeight + rows.length * cellHeight + 4
  if (!pages.fits(Math.min(whole, area.bottom - area.top))) pages.newPage()
  flow(pages, pages.lines(title, areaWidth, chartTitle), area.left, chartTitle)
  pages.down(2)
  drawHead()
  for (const row of rows) {
    if (!pages.fits(cellHeight)) {
      pages.newPage()
      drawHead()
    }
    const y = pages.y()
    row.forEach(({ label, text, value }, at) => {
      const x = area.left + at * width
      if (value !== null) pages.box(x, y, width - cellGap, cellHeight - cellGap, grounds[value > 0 ? 'gain' : value < 0 ? 'loss' : 'even'])
      pages.line(label, x + 3, y + 1, labelStyle)
      pages.line(text, 0, y + 11, fitting(text), { right: x + width - cellGap - 3 })
    })
    pages.down(cellHeight)
  }
  pages.down(10)
}

const draw = (pages: Pages, block: Block): void => {
  switch (block.kind) {
    case 'heading':
      return heading(pages, block.text, headings[block.level])
    case 'paragraph':
      return paragraph(pages, block)
    case 'list':
      return list(pages, block)
    case 'table':
      return table(pages, block)
    case 'bars':
      return bars(pages, block)
    case 'curve':
      return curve(pages, block)
    case 'calendar':
      return calendar(pages, block)
    default:
      return assertNever(block)
  }
}

/** Draws a document as a PDF file of numbered A4 pages, under its title. Tables repeat their head on each page. The same document gives the same bytes. */
export const toPdf = async (document: ReportDocument): Promise<Uint8Array> => {
  const pages = openPages(document.title)
  heading(pages, document.title, titleStyle)
  for (const block of document.blocks) draw(pages, block)
  return pages.end()
}
