import { useTranslation } from 'react-i18next'

/** The first tab stop of a page: skips what is the same everywhere, to `#content`. */
export const SkipLink = () => {
  const { t } = useTranslation('app')
  return (
    <a
      href="#content"
      onClick={(event) => {
        // The hash is the router's, so the browser must not follow it.
        event.preventDefault()
        document.getElementById('content')?.focus()
      }}
      className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('skip')}
    </a>
  )
}
