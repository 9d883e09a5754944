import { FileDown, FlaskConical, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'

const ways = [
  { id: 'demo', Icon: FlaskConical },
  { id: 'files', Icon: FileDown },
  { id: 'sync', Icon: RefreshCw },
] as const

/** The ways to the first trade in the journal, the shortest first. */
export const Ways = () => {
  const { t } = useTranslation('landing')
  return (
    <ol className="grid grid-cols-3 gap-3.5 max-md:grid-cols-1">
      {ways.map(({ id, Icon }) => (
        <li key={id} className="rounded-lg border border-line bg-surface p-4">
          <h3 className="flex items-center gap-2 font-semibold">
            <Icon aria-hidden className="size-4 shrink-0 text-accent" />
            {t(`ways.${id}`)}
          </h3>
          <p className="mt-1 text-muted">{t(`ways.${id}-text`)}</p>
        </li>
      ))}
    </ol>
  )
}
