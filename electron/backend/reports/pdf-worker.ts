import { createRequire } from 'node:module'
import type { ReportDocument } from '#shared/api/reports.ts'
import { threadBody } from '../threads/thread-body.ts'
import { toPdf } from './pdf.ts'

/** What the thread can be asked. */
export type PdfCalls = typeof calls

// The whole family, with arrows and signs of comparison; what the page is served with has no more than each language's letters.
const { resolve } = createRequire(import.meta.url)
const fonts = () => ({ regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf') })

const calls = { draw: (document: ReportDocument) => toPdf(document, fonts()) }

threadBody().serve(calls)
