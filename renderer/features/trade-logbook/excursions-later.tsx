import { fetched } from '#renderer/lib/fetched.ts'
import { Suspense, type ComponentProps } from 'react'

const Excursions = fetched(['day-note', 'filter', 'left-over', 'trade-chart', 'trade-logbook'], async () => (await import('./excursions.tsx')).Excursions)

/** Excursions, fetched after the dialog. */
export const ExcursionsLater = (props: ComponentProps<typeof Excursions>) => (
  <Suspense>
    <Excursions {...props} />
  </Suspense>
)
