import { lazy, Suspense, type ComponentProps } from 'react'

const ChartCard = lazy(async () => ({ default: (await import('./chart-card.tsx')).ChartCard }))

/** The chart of a trade, whose script comes behind the dialog. */
export const ChartLater = (props: ComponentProps<typeof ChartCard>) => (
  <Suspense>
    <ChartCard {...props} />
  </Suspense>
)
