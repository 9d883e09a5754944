import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { RulePreset } from '#shared/api/rules.ts'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** The sources and dates of a preset's figures, and which of the firm's rules it leaves out. */
export const PresetFacts = ({ preset }: { preset: RulePreset }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">
        <span className="font-semibold">{t('preset.check')}</span> {t('preset.check-text', { firm: preset.firm })}
      </Notice>
      <ul aria-label={t('preset.facts')} className="flex flex-col gap-1.5 text-sm">
        {preset.facts.map(({ fact, source, readOn }) => (
          <li key={`${source} ${fact}`} className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 break-words">{fact}</span>
            <a href={source} target="_blank" rel="noreferrer" title={source} className="inline-flex items-center gap-1 text-accent underline-offset-3 hover:underline">
              {new URL(source).hostname}
              <ExternalLink aria-hidden className="size-3" />
            </a>
            <span className="text-faint">{t('preset.read-on', { day: format.fullDay(readOn) })}</span>
          </li>
        ))}
      </ul>
      {preset.leftOut.length > 0 && (
        <div className="text-sm">
          <p className="font-medium text-muted">{t('preset.left-out')}</p>
          <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4 text-muted">
            {preset.leftOut.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
