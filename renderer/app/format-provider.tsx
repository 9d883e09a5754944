import { languageOf } from '#renderer/i18n/languages.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { useSession } from '#renderer/lib/session.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Provides the formats of the chosen language in the profile's time zone. */
export const FormatProvider = ({ children }: { children: ReactNode }) => {
  const { i18n } = useTranslation()
  const { session } = useSession()
  const { tag } = languageOf(i18n.language)
  const timeZone = session?.timeZone ?? 'UTC'
  const format = useMemo(() => createFormat(tag, timeZone), [tag, timeZone])
  return <FormatContext value={format}>{children}</FormatContext>
}
