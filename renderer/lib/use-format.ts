import { languageOf } from '#renderer/i18n/languages.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createFormat, type Format } from './format.ts'
import { useSession } from './session.ts'

/** The formats of the chosen language in the profile's time zone. */
export const useFormat = (): Format => {
  const { i18n } = useTranslation()
  const { session } = useSession()
  const tag = languageOf(i18n.language).tag
  const timeZone = session?.timeZone ?? 'UTC'
  return useMemo(() => createFormat(tag, timeZone), [tag, timeZone])
}
