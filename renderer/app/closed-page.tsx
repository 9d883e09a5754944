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

/** The outline of an empty page, shown behind a closed gate instead of the page, so that nothing of the page runs. */
const PageOutline = ({ title }: { title: string }) => (
  <div className="flex h-full flex-col">
    <div className="flex min-h-13 items-center justify-between border-b border-line bg-surface px-5">
      <span className="text-title font-[620]">{title}</span>
      <span className="h-8 w-28 rounded-md bg-accent" />
    </div>
    <div className="flex grow flex-col gap-3.5 px-5 py-4.5">
      <div className="grid grid-cols-4 gap-3.5">
        {[24, 32, 20, 28].map((width) => (
          <div key={width} className="rounded-lg border border-line bg-surface px-4 py-4">
            <span className="block h-2.5 w-20 rounded-sm bg-line" />
            <span className="mt-3 block h-4 rounded-sm bg-muted" style={{ width: `${String(width * 4)}px` }} />
          </div>
        ))}
      </div>
      <div className="grow rounded-lg border border-line bg-surface">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="flex items-center gap-10 border-b border-hairline px-4 py-4">
            <span className="h-3 w-36 rounded-sm bg-muted" />
            <span className="h-3 w-24 rounded-sm bg-line" />
            <span className="h-3 grow rounded-sm bg-hairline" />
            <span className={row % 3 === 0 ? 'h-3 w-16 rounded-sm bg-loss' : 'h-3 w-16 rounded-sm bg-gain'} />
          </div>
        ))}
      </div>
    </div>
  </div>
)
