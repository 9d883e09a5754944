import { logFailure } from '#renderer/lib/log-failure.ts'
import { createQueryClient } from '#renderer/lib/query-client.ts'
import { useToasts } from '#renderer/ui/toast-store.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { RouterProvider } from 'react-router-dom'
import { fetched } from '#renderer/lib/fetched.ts'
import { FormatProvider } from './format-provider.tsx'
import { createRouter } from './router.tsx'

const queryClient = createQueryClient()
const router = createRouter()

// Outside of what the error screen covers: no screen fails if they are missing.
const Toaster = fetched([], () =>
  import('#renderer/ui/toaster.tsx').then(
    (file) => file.Toaster,
    (failure: unknown) => {
      logFailure('Toasts cannot be shown', failure)
      return () => null
    },
  ),
)

/** The toasts, loaded when the first one shows. */
const Toasts = () => (useToasts(({ toasts }) => toasts.length > 0) ? <Toaster /> : null)

/** The whole page: the providers that every screen needs, around the router. */
export const App = () => (
  <QueryClientProvider client={queryClient}>
    <FormatProvider>
      <RouterProvider router={router} />
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
    </FormatProvider>
  </QueryClientProvider>
)
