import { lazy, Suspense, type ComponentProps } from 'react'
import { Skeleton } from './skeleton.tsx'

// Loaded when a code is first shown.
const RecoveryCodePanel = lazy(async () => ({ default: (await import('./recovery-code-panel.tsx')).RecoveryCodePanel }))

/** A recovery code to save and confirm. */
export const RecoveryCode = (props: ComponentProps<typeof RecoveryCodePanel>) => (
  <Suspense fallback={<Skeleton className="h-40 w-full" />}>
    <RecoveryCodePanel {...props} />
  </Suspense>
)
