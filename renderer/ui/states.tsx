import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { CircleAlert, SearchX } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'

const Centred = ({ icon, title, text, action, role, className }: { icon: ReactNode; title: string; text: ReactNode; action?: ReactNode; role?: 'alert'; className?: string | undefined }) => (
  <div role={role} className={classNames('flex flex-col items-center justify-center gap-1.5 px-6 py-12 text-center', className)}>
    {icon}
    <p className="font-semibold">{title}</p>
    <div className="max-w-md text-balance text-muted">{text}</div>
    {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)

/** An empty state: says so and offers the next step. */
export const EmptyState = ({ Icon, title, text, action, className }: { Icon: ComponentType<{ className?: string }>; title: string; text: ReactNode; action?: ReactNode; className?: string }) => (
  <Centred icon={<Icon aria-hidden className="mb-1 size-6 text-faint" />} title={title} text={text} action={action} className={className} />
)

/** A filter matches nothing: says so and offers to clear it. */
export const FilteredAway = ({ title, text, onClear }: { title: string; text: string; onClear: () => void }) => {
  const { t } = useTranslation('ui')
  return (
    <EmptyState
      Icon={SearchX}
      title={title}
      text={text}
      className="grow"
      action={
        <Button variant="outline" onClick={onClear}>
          {t('clear-filter')}
        </Button>
      }
    />
  )
}

/** No trade matches the filter, on any screen: offers to clear it. */
export const NoTradeMatches = ({ onClear }: { onClear: () => void }) => {
  const { t } = useTranslation('ui')
  return <FilteredAway title={t('no-trade')} text={t('no-trade-text')} onClear={onClear} />
}

/** A failed load: says what to do, with a retry. */
export const ErrorState = ({ failure, onRetry, title, className }: { failure: unknown; onRetry: () => void; title?: string; className?: string }) => {
  const { t } = useTranslation('ui')
  const words = useProblemText()
  return (
    <Centred
      role="alert"
      icon={<CircleAlert aria-hidden className="mb-1 size-6 text-loss" />}
      title={title ?? t('could-not-load')}
      text={words(failure)}
      action={
        <Button variant="outline" onClick={onRetry}>
          {t('try-again')}
        </Button>
      }
      className={className}
    />
  )
}
