import { fetched } from '#renderer/lib/fetched.ts'
import { Suspense, type ComponentProps } from 'react'

const ChartCard = fetched(['trade-chart', 'trade-logbook'], async () => (await import('./chart-card.tsx')).ChartCard)

/** A trade's chart, loaded after its dialog. */
export const ChartLater = (props: ComponentProps<typeof ChartCard>) => (
  <Suspense>
    <ChartCard {...props} />
  </Suspense>
)
