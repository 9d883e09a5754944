import { useSession } from '#renderer/lib/session.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { useTranslation } from 'react-i18next'

/** Says why the provider ended the sign-in of this browser, where it did. */
export const EndedNotice = () => {
  const { t } = useTranslation('problems')
  const { session } = useSession()
  if (!session?.endedBecause) return null
  return (
    <Notice tone="warn" className="mb-4">
      {t(`code.${session.endedBecause}`)}
    </Notice>
  )
}
