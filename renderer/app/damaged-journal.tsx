import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { backupRoutes } from '#shared/api/backups.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'

/** The program checks the journal just after its start; later only a failed backup may find damage. */
const whileCheckingMs = 2_000
const laterMs = 600_000

/** On every page, reports that a damaged journal is no longer written to, with a link to its backups. */
export const DamagedJournal = () => {
  const { t } = useTranslation('app')
  const { data } = useQuery({ ...apiQuery(backupRoutes.journalHealth), refetchInterval: ({ state }) => (state.data?.health === 'checking' ? whileCheckingMs : laterMs) })
  // That page already says so, with what to do.
  const { pathname, search } = useLocation()
  const isThere = pathname === paths.settings && new URLSearchParams(search).get('section') === 'backups'
  if (data?.health !== 'damaged' || isThere) return null
  return (
    <div className="fixed right-4 bottom-4 z-30 max-w-[calc(100vw-2rem)] rounded-md border border-line bg-surface">
      <Notice
        tone="error"
        action={
          <Button asChild variant="outline" size="sm">
            <Link to={`${paths.settings}?section=backups`}>{t('backups')}</Link>
          </Button>
        }
      >
        {t('problems:code.journal-damaged')}
      </Notice>
    </div>
  )
}
