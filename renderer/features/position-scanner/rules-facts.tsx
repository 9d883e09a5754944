import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { RulePreset } from '#shared/api/rules.ts'
import { ExternalLink } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

// A fact ends with the name of its source, in parentheses.
const sourceName = / \(([^()]+)\)$/
const namedIn = (fact: string): string => sourceName.exec(fact)?.[1] ?? ''

/** The sources and dates of a preset's figures, and which of the firm's rules it leaves out. */
export const PresetFacts = ({ preset }: { preset: RulePreset }) => {
  const { t } = useTranslation('rules')
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn">
        <span className="font-semibold">{t('preset.check')}</span> {t(preset.facts.some(({ ofFirm }) => ofFirm) ? 'preset.check-text' : 'preset.check-unconfirmed', { firm: preset.firm })}
      </Notice>
      <Facts title={t('preset.of-firm', { firm: preset.firm })} facts={preset.facts.filter(({ ofFirm }) => ofFirm)} />
      <Facts title={t('preset.not-of-firm')} facts={preset.facts.filter(({ ofFirm }) => !ofFirm)} />
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

const Facts = ({ title, facts }: { title: string; facts: RulePreset['facts'] }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const titleId = useId()
  if (facts.length === 0) return null
  // A source is named once, below all that it says.
  const sources = Object.entries(Object.groupBy(facts, ({ fact, source, readOn }) => `${source} ${readOn} ${namedIn(fact)}`))
  return (
    <div className="text-sm">
      <p id={titleId} className="font-medium text-muted">{title}</p>
      <ul aria-labelledby={titleId} className="mt-1 flex flex-col gap-1.5">
        {sources.map(([key, ofSource = []]) => (
          <li key={key} className="flex flex-col gap-0.5">
            {ofSource.map(({ fact }) => (
              <span key={fact} className="min-w-0 break-words">{fact.replace(sourceName, '')}</span>
            ))}
            {ofSource.slice(0, 1).map(({ fact, source, readOn }) => (
              <span key={source} className="flex flex-wrap items-baseline gap-x-2 text-faint">
                <span className="min-w-0 break-words">{namedIn(fact)}</span>
                <a href={source} target="_blank" rel="noreferrer" title={source} className="inline-flex items-center gap-1 text-accent underline-offset-3 hover:underline">
                  {new URL(source).hostname}
                  <ExternalLink aria-hidden className="size-3" />
                </a>
                <span>{t('preset.read-on', { day: format.fullDay(readOn) })}</span>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
