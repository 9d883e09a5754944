import { paths } from '#renderer/lib/paths.ts'
import { useGoBack } from '#renderer/lib/use-go-back.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { gatedPages, type GatedPage } from '#shared/plans/plan.ts'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { PageOutline } from './page-outline.tsx'
import { ParticleField } from './particle-field.tsx'

/** A page that the plan does not include: its blurred outline behind particles, and a dialog that leads back or to the plans and closes in no other way. */
export const ClosedPage = ({ page }: { page: GatedPage }) => {
  const { t } = useTranslation('plans')
  const goBack = useGoBack()
  const shown = useDialogTurn(true)
  const title = t(`page.${page}`)
  return (
    <div className="relative h-full overflow-hidden">
      <DocumentTitle shows={title} />
      <div inert aria-hidden className="h-full blur-sm">
        <PageOutline title={title} />
      </div>
      <ParticleField />
      <Dialog
        open={shown}
        width="sm"
        title={t('required')}
        description={
          <div className="flex flex-col items-start gap-3 pt-1">
            <Badge tone="accent">{t(`needed.${gatedPages[page]}`)}</Badge>
            <p>{t(`required-text.${gatedPages[page]}`)}</p>
          </div>
        }
        footer={
          <>
            <Button variant="outline" onClick={goBack}>
              {t('go-back')}
            </Button>
            <Button asChild>
              <Link to={paths.manageSubscription}>{t('see-plans')}</Link>
            </Button>
          </>
        }
      />
    </div>
  )
}
