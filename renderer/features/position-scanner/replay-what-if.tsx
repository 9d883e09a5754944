import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Cell, HeaderCell, RowHeaderCell, Table } from '#renderer/ui/table.tsx'
import type { ReplayAnswer, RulePreset } from '#shared/api/rules.ts'
import { useTranslation } from 'react-i18next'
import { replaySummary, type ReplaySummary } from './replay-rows.ts'
import { PresetPicker, type PresetPicking } from './rules-preset-picker.tsx'
import { useOutcomeWords } from './use-rules.ts'

const lines = ['outcome', 'passed', 'tightest', 'balance', 'days'] as const

type Other = { readonly preset: RulePreset; readonly answer: ReplayAnswer | null }

type Props = { readonly presets: readonly RulePreset[]; readonly picking: PresetPicking; readonly open: boolean; readonly onOpen: (open: boolean) => void; readonly own: ReplayAnswer | null; readonly other: Other | null; readonly currency: string }

/** Replays the same trades under a firm's public rules, and compares both outcomes. */
export const ReplayWhatIf = ({ presets, picking, open, onOpen, own, other, currency }: Props) => {
  const { t } = useTranslation('rules')
  return (
    <Card
      title={t('what-if.title')}
      note={t('what-if.note')}
      actions={
        <Button variant="outline" size="sm" aria-expanded={open} disabled={presets.length === 0} onClick={() => { onOpen(!open) }}>
          {open ? t('what-if.close') : t('what-if.open')}
        </Button>
      }
    >
      {open && (
        <div className="flex flex-col gap-3 p-4">
          <PresetPicker presets={presets} picking={picking} />
          {other !== null && <Compared own={own === null ? null : replaySummary(own)} other={other} currency={currency} />}
        </div>
      )}
    </Card>
  )
}

const Compared = ({ own, other, currency }: { own: ReplaySummary | null; other: Other; currency: string }) => {
  const { t } = useTranslation('rules')
  const summary = other.answer === null ? null : replaySummary(other.answer)
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <Table>
        <caption className="sr-only">{t('what-if.compared')}</caption>
        <thead>
          <tr>
            <HeaderCell unseen>{t('what-if.figure')}</HeaderCell>
            {own !== null && <HeaderCell>{t('under.own')}</HeaderCell>}
            <HeaderCell>{t('under.preset-name', { firm: other.preset.firm, plan: other.preset.plan })}</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line}>
              <RowHeaderCell className="text-sm">{t(`what-if.line.${line}`)}</RowHeaderCell>
              {own !== null && <Cell className="whitespace-normal!"><Figure line={line} summary={own} currency={currency} /></Cell>}
              <Cell className="whitespace-normal!">{summary === null ? t('none') : <Figure line={line} summary={summary} currency={other.preset.set.currency} />}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const Figure = ({ line, summary, currency }: { line: (typeof lines)[number]; summary: ReplaySummary; currency: string }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const outcome = useOutcomeWords()
  switch (line) {
    case 'outcome':
      return outcome(summary)
    case 'passed':
      return summary.passed === null ? t('none') : format.fullDay(summary.passed)
    case 'tightest':
      return summary.tightest === null ? t('none') : t('what-if.on-day', { amount: format.fullMoney(summary.tightest.room, currency), day: format.fullDay(summary.tightest.tradingDay) })
    case 'balance':
      return summary.lastBalance === null ? t('none') : format.fullMoney(summary.lastBalance, currency)
    case 'days':
      return format.count(summary.days)
  }
}
