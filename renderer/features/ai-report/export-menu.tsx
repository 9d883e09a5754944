import { saveBlob } from '#renderer/lib/save-blob.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import type { Report } from '#shared/api/reports.ts'
import { toMarkdown } from '#shared/reports/markdown.ts'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { composeDocument } from './compose-document.ts'
import type { ReportWords } from './report-words.ts'
import { fileName, pdfOf } from './save-file.ts'

/** Saves the report as Markdown or as a PDF, in the language of the page. */
export const ExportMenu = ({ report, words }: { report: Report; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const problem = useProblemText()
  const compose = () => composeDocument(report, words, t, format)
  const pdf = useMutation({
    mutationFn: () => pdfOf(compose()),
    onSuccess: (content) => { saveBlob(fileName(report.period, 'pdf'), content) },
    onError: (failure) => { toast({ title: t('export.failed'), text: problem(failure), tone: 'error' }) },
  })
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" busy={pdf.isPending}>
          {!pdf.isPending && <Download aria-hidden />}
          {t('export.title')}
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      <MenuItem onSelect={() => { pdf.mutate() }}>{t('export.pdf')}</MenuItem>
      <MenuItem onSelect={() => { saveBlob(fileName(report.period, 'md'), new Blob([toMarkdown(compose())], { type: 'text/markdown;charset=utf-8' })) }}>{t('export.markdown')}</MenuItem>
    </Menu>
  )
}
