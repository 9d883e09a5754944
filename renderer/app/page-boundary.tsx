import { LoadingImage } from '#renderer/ui/spinner.tsx'
import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'

/** Shows the loading image while the code of a page is on its way; the key makes every page wait for itself instead of for the one before it. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Suspense key={useLocation().pathname.toLowerCase()} fallback={<LoadingImage />}>
    {children}
  </Suspense>
)
