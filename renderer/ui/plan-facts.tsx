import { useFormat } from '#renderer/lib/use-format.ts'
import { hasCopier, plans, type Plan } from '#shared/plans/plan.ts'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from './badge.tsx'

/** A plan with its monthly price in euros and its contents; `id` becomes the id of its name, a heading. */
export const PlanFacts = ({ plan, id, Heading = 'h2' }: { plan: Plan; id: string; Heading?: 'h2' | 'h3' }) => {
  const { t } = useTranslation('plans')
  const format = useFormat()
  const { eurosPerMonth, copyAccounts } = plans[plan]
  return (
    <>
      <Heading id={id} className="text-title font-semibold tracking-[-0.01em]">
        {t(`plan.${plan}`)}
      </Heading>
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
    </>
  )
}

const Held = ({ children }: { children: ReactNode }) => (
  <li className="flex items-start gap-2">
    <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
    {children}
  </li>
)
