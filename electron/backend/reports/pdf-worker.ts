import { createRequire } from 'node:module'
import type { ReportDocument } from '#shared/api/reports.ts'
import { threadBody } from '../threads/thread-body.ts'
import { toPdf } from './pdf.ts'

/** The calls of the PDF thread. */
export type PdfCalls = typeof calls

// The full fonts, with arrows and comparison signs; the page's own fonts are subsets of each language's letters.
const { resolve } = createRequire(import.meta.url)
const fonts = () => ({ regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf') })

const calls = { draw: (document: ReportDocument) => toPdf(document, fonts()) }

threadBody().serve(calls)
