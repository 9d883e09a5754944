import { i18n, startI18n } from '#renderer/i18n/i18n.ts'
import { keepBrowserKey } from '#renderer/lib/browser-key.ts'
import { startTheme } from '#renderer/lib/theme.ts'
import '#renderer/ui/styles.css'
import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { App } from './app.tsx'
import { StartFailure } from './error-screen.tsx'

keepBrowserKey()
startTheme()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
const show = (page: ReactNode): void => {
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>{page}</I18nextProvider>
    </StrictMode>,
  )
}
await startI18n().then(
  () => { show(<App />) },
  (failure: unknown) => { show(<StartFailure thrown={failure} />) },
)
