import { lazy, Suspense, type ComponentProps } from 'react'

const Excursions = lazy(async () => ({ default: (await import('./excursions.tsx')).Excursions }))

/** Excursions, whose script comes behind the dialog. */
export const ExcursionsLater = (props: ComponentProps<typeof Excursions>) => (
  <Suspense>
    <Excursions {...props} />
  </Suspense>
)
