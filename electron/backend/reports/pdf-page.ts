import { createRequire } from 'node:module'
import PdfDocument from 'pdfkit'
import { linesOf, measuredOnce, type WidthOf } from './pdf-text.ts'

/** The style of a text; sizes in points. */
export type Style = { readonly font: 'regular' | 'bold'; readonly size: number; readonly color: string }

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
export const area = { left: 50, right: 545.28, top: 54, bottom: 778 } as const
export const areaWidth = area.right - area.left

/** The height of a line of text, in points. */
export const lineHeight = ({ size }: Style): number => size * 1.4

// Tabular figures, so that digits align in columns.
const figures: { features: PDFKit.Mixins.OpenTypeFeatures[] } = { features: ['tnum'] }

const numbering: Style = { font: 'regular', size: 8, color: '#6b7280' }

/** Pages filled from the top. The caller checks `fits` before it draws. */
export type Pages = ReturnType<typeof openPages>

/** A document of A4 pages. The same drawing gives the same bytes: it holds no date and no origin. */
export const openPages = (title: string) => {
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
