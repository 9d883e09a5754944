import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import type { Offer } from '#shared/plans/offer.ts'
import { hasCopier, plans, type Plan } from '#shared/plans/plan.ts'
import { Check } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A plan with its price, what it holds and its one button; `processing` while its checkout is on the way, `held` while another one is. */
export const PlanCard = ({ plan, offer, processing, held, onSubscribe }: { plan: Plan; offer: Offer; processing: boolean; held: boolean; onSubscribe: () => void }) => {
  const { t } = useTranslation('plans')
  const format = useFormat()
  const name = useId()
  const { eurosPerMonth, copyAccounts } = plans[plan]
  const current = offer === 'current'
  return (
    <section aria-labelledby={name} className={classNames('flex flex-col gap-3.5 rounded-lg border bg-surface p-5', current ? 'border-accent' : 'border-line')}>
      <h2 id={name} className="text-title font-semibold tracking-[-0.01em]">
        {t(`plan.${plan}`)}
      </h2>
      <p className="flex min-h-9 flex-wrap items-baseline gap-1.5">
        <span className="text-headline font-semibold tracking-[-0.015em] tabular-nums">{format.wholeMoney(eurosPerMonth, 'EUR')}</span>
        <span className="text-muted">{t('a-month')}</span>
        {(plan === 'tradecopier-mid' || plan === 'tradecopier-enterprise') && (
          <Badge tone={plan === 'tradecopier-mid' ? 'accent' : 'quiet'} className="ml-auto">
            {t(`mark.${plan}`)}
          </Badge>
        )}
      </p>
      <ul className="mb-2 flex flex-col gap-1.5 text-muted">
        {hasCopier(plan) ? (
          <>
            <Held>{t('holds.copies', { count: copyAccounts })}</Held>
            <Held>{t('holds.all-of-autosync')}</Held>
          </>
        ) : (
          <>
            <Held>{t('holds.sync')}</Held>
            <Held>{t('holds.ai')}</Held>
            <Held>{t('holds.scanner')}</Held>
          </>
        )}
      </ul>
      <Button
        size="lg"
        variant={offer === 'subscribe' ? 'default' : 'secondary'}
        className="mt-auto w-full"
        disabled={offer !== 'subscribe' || held}
        busy={processing}
        onClick={onSubscribe}
      >
        {processing ? t('processing') : <ButtonText plan={plan} offer={offer} />}
      </Button>
    </section>
  )
}

const ButtonText = ({ plan, offer }: { plan: Plan; offer: Offer }) => {
  const { t } = useTranslation('plans')
  switch (offer) {
    case 'subscribe':
      return t(`subscribe.${plan}`)
    case 'current':
      return t('current')
    case 'included':
      return t('included')
    case 'not-sold':
      return t('not-sold')
  }
}

const Held = ({ children }: { children: ReactNode }) => (
  <li className="flex items-start gap-2">
    <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
    {children}
  </li>
)
