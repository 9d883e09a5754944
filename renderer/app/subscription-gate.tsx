import { useUserId } from '#renderer/lib/session.ts'
import { isOpen } from '#renderer/lib/entitlement.ts'
import { useEntitlement } from '#renderer/lib/use-entitlement.ts'
import { CheckFailure } from '#renderer/ui/check-failure.tsx'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { FullScreenSpinner, LoadingImage } from '#renderer/ui/spinner.tsx'
import { gatedPages, type GatedPage } from '#shared/plans/plan.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ClosedPage } from './closed-page.tsx'

const logoMs = 1_000

/** The gates whose logo was shown since the page loaded, by user and page. */
const passed = new Set<string>()

/** Whether a gate still shows its logo: for one second after the check is known, at the first visit. */
const useLogo = (gate: string, known: boolean): boolean => {
  const [over, setOver] = useState(() => passed.has(gate))
  useEffect(() => {
    if (over || !known) return
    const timer = setTimeout(() => {
      passed.add(gate)
      setOver(true)
    }, logoMs)
    return () => {
      clearTimeout(timer)
    }
  }, [gate, known, over])
  return !over
}

/** Shows a page to a user whose plan includes it; until then `children` are not mounted, so that nothing of the page runs. */
export const SubscriptionGate = ({ page, children }: { page: GatedPage; children: ReactNode }) => {
  const { entitlement, failure, retry } = useEntitlement()
  const known = entitlement !== null || failure !== null
  const logo = useLogo(`${useUserId()} ${page}`, known)
  if (!known) return <FullScreenSpinner />
  if (logo) return <LoadingImage />
  if (entitlement === null) return <Failed page={page} text={failure ?? ''} onRetry={retry} />
  return isOpen(entitlement, gatedPages[page], Date.now()) ? children : <ClosedPage page={page} />
}

const Failed = ({ page, text, onRetry }: { page: GatedPage; text: string; onRetry: () => void }) => {
  const { t } = useTranslation('plans')
  const title = t(`page.${page}`)
  return (
    <>
      <DocumentTitle shows={title} />
      <h1 className="sr-only">{title}</h1>
      <CheckFailure text={text} onRetry={onRetry} className="h-full" />
    </>
  )
}
