import { ApiFailure, failureOf } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { reportPdfPath, type ReportDocument } from '#shared/api/reports.ts'

const mostBlocks = 2_000

// Markdown begins with the title; a PDF has it in its properties alone.
const titled = ({ title, blocks }: ReportDocument): ReportDocument => {
  const below = blocks.slice(0, mostBlocks - 1).map((block) => (block.kind === 'heading' ? { ...block, level: block.level === 1 ? (2 as const) : (3 as const) } : block))
  return { title, blocks: [{ kind: 'heading', level: 1, text: title }, ...below] }
}

/** The document as a PDF, under its title; throws `ApiFailure`. */
export const pdfOf = async (composed: ReportDocument): Promise<Blob> => {
  const response = await fetchAdmitted(reportPdfPath, { method: 'POST', headers: { accept: 'application/pdf, application/json', 'content-type': 'application/json' }, body: JSON.stringify(titled(composed)) }).catch(() => {
    throw new ApiFailure(0, null)
  })
  if (!response.ok) throw await failureOf(response)
  return await response.blob()
}

/** `fillbook-report-2026-11-16-2026-11-20.md`. */
export const fileName = ({ from, to }: { readonly from: string; readonly to: string }, kind: 'md' | 'pdf'): string => `fillbook-report-${from}-${to}.${kind}`
