import { saveBlob } from '#renderer/lib/save-blob.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { reportPdfPath, type Report, type ReportDocument } from '#shared/api/reports.ts'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure, failureOf } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import type { ReportWords } from './report-words.ts'

/** Exports the report as Markdown or PDF, in the page's language. */
export const ExportMenu = ({ report, words }: { report: Report; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const problem = useProblemText()
  // Most visits export nothing: what only an export needs is loaded by it.
  const compose = async (): Promise<ReportDocument> => (await import('./compose-document.ts')).composeDocument(report, words, t, format)
  const onError = (failure: Error): void => { toast({ title: t('export.failed'), text: problem(failure), tone: 'error' }) }
  const pdf = useMutation({
    mutationFn: async () => pdfOf(await compose()),
    onSuccess: (content) => { saveBlob(fileName(report.period, 'pdf'), content) },
    onError,
  })
  const markdown = useMutation({
    mutationFn: async () => (await import('#shared/reports/markdown.ts')).toMarkdown(await compose()),
    onSuccess: (text) => { saveBlob(fileName(report.period, 'md'), new Blob([text], { type: 'text/markdown;charset=utf-8' })) },
    onError,
  })
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" busy={pdf.isPending || markdown.isPending}>
          {!pdf.isPending && !markdown.isPending && <Download aria-hidden />}
          {t('export.title')}
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <MenuItem onSelect={() => { pdf.mutate() }}>{t('export.pdf')}</MenuItem>
      <MenuItem onSelect={() => { markdown.mutate() }}>{t('export.markdown')}</MenuItem>
    </Menu>
  )
}

/** The document as a PDF; throws `ApiFailure`. */
const pdfOf = async (composed: ReportDocument): Promise<Blob> => {
  const response = await fetchAdmitted(reportPdfPath, { method: 'POST', headers: { accept: 'application/pdf, application/json', 'content-type': 'application/json' }, body: JSON.stringify(composed) }).catch(() => {
    throw new ApiFailure(0, null)
  })
  if (!response.ok) throw await failureOf(response)
  return await response.blob()
}

/** `fillbook-report-2026-11-16-2026-11-20.md`. */
const fileName = ({ from, to }: { readonly from: string; readonly to: string }, kind: 'md' | 'pdf'): string => `fillbook-report-${from}-${to}.${kind}`
