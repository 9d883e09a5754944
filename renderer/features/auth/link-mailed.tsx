import { Button } from '#renderer/ui/button.tsx'
import { useTranslation } from 'react-i18next'
import { AuthCard } from './auth-card.tsx'
import { LinkForm } from './link-form.tsx'

/** A link that signs in was mailed: what to do with it, and a field for one that opens in another browser. */
export const LinkMailed = ({ email, onBack }: { email: string; onBack: () => void }) => {
  const { t } = useTranslation('auth')
  return (
    <AuthCard
      inPlace
      title={t('mailed.title')}
      text={t('link.mailed', { email: email.trim() })}
      footer={
        <Button variant="link" onClick={onBack}>
          {t('forgot.back')}
        </Button>
      }
    >
      <LinkForm />
    </AuthCard>
  )
}
