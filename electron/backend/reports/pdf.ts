import { createRequire } from 'node:module'
import PdfDocument from 'pdfkit'
import type { ReportDocument } from '#shared/api/reports.ts'
import { assertNever } from '#shared/base/assert-never.ts'
import { columnWidths, linesOf, measuredOnce, type WidthOf } from './pdf-text.ts'

/** The style of a text; sizes in points. */
type Style = { readonly font: 'regular' | 'bold'; readonly size: number; readonly color: string }

// The full fonts, with arrows and comparison signs; the page's own fonts are subsets of each language's letters.
const { resolve } = createRequire(import.meta.url)
const fontFiles = () => ({
  regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  malayalam: { regular: resolve('@expo-google-fonts/anek-malayalam/400Regular/AnekMalayalam_400Regular.ttf'), bold: resolve('@expo-google-fonts/anek-malayalam/600SemiBold/AnekMalayalam_600SemiBold.ttf') },
})

// Inter has no Malayalam letters; every second part is a run of them.
const malayalamRuns = /((?:\p{Script=Malayalam}[\u200c\u200d]?)+)/u

// Of Inter's size, from the top of a line to its baseline.
const ascent = 0.97

/** The text area of a page, in points from its left and top edge. */
const area = { left: 50, right: 545.28, top: 54, bottom: 778 } as const
const areaWidth = area.right - area.left

/** The height of a line of text, in points. */
const lineHeight = ({ size }: Style): number => size * 1.4

// Tabular figures, so that digits align in columns.
const figures: { features: PDFKit.Mixins.OpenTypeFeatures[] } = { features: ['tnum'] }

const numbering: Style = { font: 'regular', size: 8, color: '#6b7280' }

/** Pages filled from the top. The caller checks `fits` before it draws. */
type Pages = ReturnType<typeof openPages>

/** A document of A4 pages. The same drawing gives the same bytes: it holds no date and no origin. */
const openPages = (title: string) => {
  const fonts = fontFiles()
  // Version 1.3 has no XMP metadata, which would hold the title unescaped.
  const file = new PdfDocument({ size: 'A4', margin: 0, pdfVersion: '1.3', font: fonts.regular, bufferPages: true, displayTitle: true, info: { Title: title, Creator: 'Fillbook', Producer: 'Fillbook', CreationDate: new Date(0) } })
  const parts: Buffer[] = []
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    file.on('data', (part: Buffer) => parts.push(part))
    file.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    file.on('error', reject)
  })
  let at: number = area.top

  // Widths scale with the size, so one table per font is enough.
  const measureIn = (font: string): WidthOf => measuredOnce((text) => file.font(font).fontSize(1000).widthOfString(text, figures))
  const measures = { regular: [measureIn(fonts.regular), measureIn(fonts.malayalam.regular)], bold: [measureIn(fonts.bold), measureIn(fonts.malayalam.bold)] } as const
  const runsIn = (text: string, { font, size }: Style) =>
    text.split(malayalamRuns).flatMap((run, index) => {
      const isMalayalam = index % 2 === 1
      return run === '' ? [] : [{ run, file: isMalayalam ? fonts.malayalam[font] : fonts[font], width: (measures[font][isMalayalam ? 1 : 0](run) * size) / 1000 }]
    })
  const widthIn = (style: Style): WidthOf => (text) => runsIn(text, style).reduce((sum, { width }) => sum + width, 0)
  const line = (text: string, x: number, y: number, style: Style, align?: { readonly right: number }): void => {
    if (text === '') return
    let left = align === undefined ? x : align.right - widthIn(style)(text)
    const baseline = y + (lineHeight(style) - style.size * 1.21) / 2 + style.size * ascent
    for (const { run, file: font, width } of runsIn(text, style)) {
      file.font(font).fontSize(style.size).fillColor(style.color).text(run, left, baseline, { ...figures, lineBreak: false, baseline: 'alphabetic' })
      left += width
    }
  }
  return {
    /** The top edge of the next block. */
    y: (): number => at,
    down: (by: number): void => {
      at += by
    },
    /** Whether this height still fits on the page. */
    fits: (height: number): boolean => at + height <= area.bottom,
    newPage: (): void => {
      file.addPage()
      at = area.top
    },
    widthIn,
    lines: (text: string, width: number, style: Style): string[] => linesOf(text, width, widthIn(style)),
    line,
    box: (x: number, y: number, width: number, height: number, color: string): void => {
      file.rect(x, y, width, height).fill(color)
    },
    /** A line through these points. */
    stroke: ([first, ...rest]: readonly (readonly [x: number, y: number])[], width: number, color: string): void => {
      if (first === undefined) return
      file.moveTo(...first)
      for (const place of rest) file.lineTo(...place)
      file.lineWidth(width).lineJoin('round').stroke(color)
    },
    /** Numbers the pages and returns the file. */
    end: (): Promise<Uint8Array> => {
      const { count } = file.bufferedPageRange()
      for (let page = 0; page < count; page += 1) {
        file.switchToPage(page)
        line(`${String(page + 1)} / ${String(count)}`, 0, area.bottom + 22, numbering, { right: area.right })
      }
      file.end()
      return whole
    },
  }
}

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

type TableRow = { readonly cells: readonly string[][]; readonly height: number; readonly style: Style }

const table = (pages: Pages, { head, rows, figures }: Of<'table'>): void => {
  const [inCells, inHead] = [pages.widthIn(cellStyle), pages.widthIn(headStyle)]
  const widest = (text: string, widthOf: typeof inCells): number => text.split('\n').reduce((most, part) => Math.max(most, widthOf(part)), 0)
  const wanted = head.map((title, column) => 2 * padding + rows.reduce((most, row) => Math.max(most, widest(row[column] ?? '', inCells)), widest(title, inHead)) + 1)
  const widths = columnWidths(wanted, areaWidth)
  const rightAligned = new Set(figures)
  const rowOf = (texts: readonly string[], style: Style): TableRow => {
    const cells = widths.map((width, column) => pages.lines(texts[column] ?? '', width - 2 * padding, style))
    return { cells, style, height: Math.max(...cells.map((lines) => lines.length)) * lineHeight(style) + padding }
  }
  const top = rowOf(head, headStyle)
  /** Draws at most `most` lines of a row from `first` on; returns the next line to draw. */
  const part = ({ cells, style }: TableRow, first: number, most: number): number => {
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
