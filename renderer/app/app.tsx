import { logFailure } from '#renderer/lib/log-failure.ts'
import { createQueryClient } from '#renderer/lib/query-client.ts'
import { useToasts } from '#renderer/ui/toast-store.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useMemo, type ReactNode } from 'react'
import { RouterProvider } from 'react-router-dom'
import { fetched } from '#renderer/lib/fetched.ts'
import { createRouter } from './router.tsx'
import { languageOf } from '#renderer/i18n/languages.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { useSession } from '#renderer/lib/session.ts'
import { FormatContext } from '#renderer/lib/use-format.ts'
import { useTranslation } from 'react-i18next'

/** Provides the formats of the chosen language in the profile's time zone. */
const FormatProvider = ({ children }: { children: ReactNode }) => {
  const { t, i18n } = useTranslation('app')
  const { session } = useSession()
  const { tag } = languageOf(i18n.language)
  const timeZone = session?.timeZone ?? 'UTC'
  const format = useMemo(() => createFormat(tag, timeZone, (number) => t('unknown-currency', { number })), [tag, timeZone, t])
  return <FormatContext value={format}>{children}</FormatContext>
}

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
