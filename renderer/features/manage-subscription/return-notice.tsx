import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { useTranslation } from 'react-i18next'
import type { PaymentReturn } from './use-payment-return.ts'

/** The result of the checkout that the user returned from; nothing without one. */
export const ReturnNotice = ({ outcome, onLook }: { outcome: PaymentReturn; onLook: () => void }) => {
  const { t } = useTranslation('plans')
  const words = useProblemText()
  const again = (
    <Button variant="outline" size="sm" onClick={onLook}>
      {t('return.look-again')}
    </Button>
  )
  switch (outcome.kind) {
    case 'nothing':
      return null
    case 'failed':
      return (
        <Notice tone="error" action={again}>
          <p className="text-loss">{outcome.failure.message}</p>
          <p>{words(outcome.failure)}</p>
        </Notice>
      )
    case 'no-session':
      return (
        <Notice tone="error">
          <p className="text-loss">{t('check-failed')}</p>
          <p>{t('return.no-session')}</p>
        </Notice>
      )
    case 'late':
      return (
        <Notice tone="warn" action={again}>
          <p role="status">{t('return.late')}</p>
        </Notice>
      )
    case 'checking':
    case 'waiting':
      return (
        <Notice action={<Spinner className="mt-0.5 text-accent" />}>
          <p role="status">{t(`return.${outcome.kind}`)}</p>
        </Notice>
      )
    case 'paid':
    case 'changed':
    case 'cancelled':
      return (
        <Notice>
          <p role="status">{t(`return.${outcome.kind}`)}</p>
        </Notice>
      )
  }
}
