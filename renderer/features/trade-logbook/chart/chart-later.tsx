import { fetched } from '#renderer/lib/fetched.ts'
import { Suspense, type ComponentProps } from 'react'

const ChartCard = fetched(['trade-chart', 'trade-logbook'], async () => (await import('./chart-card.tsx')).ChartCard)

/** The chart of a trade, fetched after the dialog. */
export const ChartLater = (props: ComponentProps<typeof ChartCard>) => (
  <Suspense>
    <ChartCard {...props} />
  </Suspense>
)
