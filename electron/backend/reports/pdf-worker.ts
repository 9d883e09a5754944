import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ReportDocument } from '#shared/api/reports.ts'
import { toPdf } from './pdf.ts'
import type { PdfReply } from './pdf-thread.ts'

if (parentPort === null) throw new Error('This file is the body of a thread')
const parent = parentPort

// The whole family, with arrows and signs of comparison; what the page is served with has no more than each language's letters.
const { resolve } = createRequire(import.meta.url)
const fonts = () => ({ regular: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), bold: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf') })

const answer = async (document: ReportDocument): Promise<PdfReply> => {
  try {
    return { ok: true, bytes: await toPdf(document, fonts()) }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

const reply = await answer(workerData as ReportDocument)
parent.postMessage(reply, reply.ok ? [reply.bytes.buffer as ArrayBuffer] : [])
