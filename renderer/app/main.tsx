import { startI18n } from '#renderer/i18n/i18n.ts'
import { startTheme } from '#renderer/lib/theme.ts'
import '#renderer/ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

startTheme()
await startI18n()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
