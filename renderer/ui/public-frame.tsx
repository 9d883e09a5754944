import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useLayoutEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Button } from './button.tsx'
import { LegalLinks } from './legal-links.tsx'
import { LookMenus } from './look-menus.tsx'
import { SkipLink } from './skip-link.tsx'
import { Wordmark } from './wordmark.tsx'

/** The frame of public pages: the logo that leads home, the choices of language and theme, the way in, and the legal pages below. */
export const PublicFrame = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation('app')
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <div className="flex min-h-screen flex-col bg-ground">
      <SkipLink />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex min-h-13 max-w-6xl flex-wrap items-center justify-between gap-x-3 gap-y-2 px-5 py-2 max-sm:px-4">
          <Link to={paths.home} className="flex rounded-sm">
            <Wordmark />
          </Link>
          <div className="flex flex-wrap items-center gap-1">
            <LookMenus />
            <WayIn />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4 max-sm:px-4">
          <LegalLinks />
          <p className="text-sm text-faint">{t('legal.not-theirs')}</p>
        </div>
      </footer>
    </div>
  )
}

// If the program does not admit this browser, there is none.
const WayIn = () => {
  const { t } = useTranslation('app')
  const { session, currentUser } = useSession()
  if (session === null) return null
  return (
    <Button variant="outline" className="ml-1" asChild>
      {currentUser ? <Link to={paths.overview}>{t('legal.open-journal')}</Link> : <Link to={paths.signIn}>{t('legal.sign-in')}</Link>}
    </Button>
  )
}
