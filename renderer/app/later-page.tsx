import { Page } from '#renderer/ui/page.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import type { GatedPage } from '#shared/plans/plan.ts'
import { Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Stands for a page that a later version brings. */
export const LaterPage = ({ page }: { page: GatedPage }) => {
  const { t } = useTranslation('plans')
  return (
    <Page title={t(`page.${page}`)} className="grid place-items-center">
      <EmptyState Icon={Hourglass} title={t('later')} text={t('later-text')} />
    </Page>
  )
}
