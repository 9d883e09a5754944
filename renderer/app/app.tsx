import { i18n } from '#renderer/i18n/i18n.ts'
import { createQueryClient } from '#renderer/lib/query-client.ts'
import { Toaster } from '#renderer/ui/toaster.tsx'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { I18nextProvider } from 'react-i18next'
import { RouterProvider } from 'react-router-dom'
import { FormatProvider } from './format-provider.tsx'
import { createRouter } from './router.tsx'

const queryClient = createQueryClient()
const router = createRouter()

/** The whole page: what every screen may lean on, around the router. */
export const App = () => (
  <I18nextProvider i18n={i18n}>
    <QueryClientProvider client={queryClient}>
      <FormatProvider>
        <TooltipProvider>
          <RouterProvider router={router} />
          <Toaster />
        </TooltipProvider>
      </FormatProvider>
    </QueryClientProvider>
  </I18nextProvider>
)
