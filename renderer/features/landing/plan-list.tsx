import { PlanFacts } from '#renderer/ui/plan-facts.tsx'
import { planTypes } from '#shared/plans/plan.ts'

/** The plans with their prices. */
export const PlanList = () => (
  <ul className="grid grid-cols-4 gap-3.5 max-lg:grid-cols-2 max-sm:grid-cols-1">
    {planTypes.map((plan) => (
      <li key={plan} className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-5 pt-5 pb-3">
        <PlanFacts plan={plan} id={`plan-${plan}`} Heading="h3" />
      </li>
    ))}
  </ul>
)
