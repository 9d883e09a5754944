import { classNames } from '#renderer/lib/class-names.ts'
import { Button } from '#renderer/ui/button.tsx'
import { PlanFacts } from '#renderer/ui/plan-facts.tsx'
import type { Offer } from '#shared/plans/offer.ts'
import type { Plan } from '#shared/plans/plan.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

/** A plan with its price, its contents and its button; `processing` while its checkout opens, `held` while another one does. */
export const PlanCard = ({ plan, offer, processing, held, onSubscribe }: { plan: Plan; offer: Offer; processing: boolean; held: boolean; onSubscribe: () => void }) => {
  const { t } = useTranslation('plans')
  const name = useId()
  const current = offer === 'current'
  return (
    <section aria-labelledby={name} className={classNames('flex flex-col gap-3.5 rounded-lg border bg-surface p-5', current ? 'border-accent' : 'border-line')}>
      <PlanFacts plan={plan} id={name} />
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
