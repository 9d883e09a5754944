import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { journalFilePath } from '#shared/api/journal-file.ts'
import type { DownloadPath } from '#shared/api/session.ts'
import { tradesCsvPath } from '#shared/api/statistics.ts'
import { Archive, FileSpreadsheet, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { BringJournal } from './bring-journal.tsx'

/** The whole journal as one file, its trades as a table, and a journal back in. */
export const JournalSection = () => {
  const { t } = useTranslation('journal-file')
  return (
    <div className="flex flex-col gap-4">
      <Card title={t('export')} note={t('export-note')}>
        <ul className="divide-y divide-hairline">
          <ExportLine Icon={Archive} title={t('whole')} text={t('whole-text')} action={t('whole-action')} path={journalFilePath} />
          <ExportLine Icon={FileSpreadsheet} title={t('csv')} text={t('csv-text')} action={t('csv-action')} path={tradesCsvPath} />
        </ul>
      </Card>
      <BringJournal />
    </div>
  )
}

const ExportLine = ({ Icon, title, text, action, path }: { Icon: LucideIcon; title: string; text: string; action: string; path: DownloadPath }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
    <Icon aria-hidden className="size-5 shrink-0 text-faint" />
    <div className="min-w-64 flex-1">
      <h3 className="font-medium">{title}</h3>
      <p className="max-w-2xl text-muted">{text}</p>
    </div>
    <Button asChild variant="outline">
      <DownloadLink path={path}>{action}</DownloadLink>
    </Button>
  </li>
)
