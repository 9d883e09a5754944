import { chooseLanguage } from '#renderer/i18n/i18n.ts'
import type { LanguageCode } from '#renderer/i18n/languages.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { useTranslation } from 'react-i18next'
import { toast } from './toast-store.ts'

/** Returns a function that switches the language, and reports a failure. */
export const useChooseLanguage = (): ((code: LanguageCode) => void) => {
  const { t } = useTranslation('error')
  return (code) => {
    chooseLanguage(code).catch((failure: unknown) => {
      logFailure('The sentences of a language could not be loaded', failure)
      toast({ title: t('language'), text: t('language-text'), tone: 'error' })
    })
  }
}
