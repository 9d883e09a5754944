import { monogram } from '#renderer/lib/monogram.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { StageMenu } from '#renderer/ui/stage-menu.tsx'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { OddsPanel } from './odds-panel.tsx'
import { ReplayPanel } from './replay-panel.tsx'
import { RulesEditor } from './rules-editor.tsx'
import type { RulesRow } from './rules-list.tsx'
import { RulesNow } from './rules-now.tsx'
import { useRulesDraft } from './use-rules-draft.ts'

/** The parts of an account's rules; one shows at a time. */
export const parts = ['now', 'set', 'history', 'odds'] as const
export type Part = (typeof parts)[number]

/** One account: its current rule states, its rules to edit, its past under them, and its odds; takes the focus after navigation (`led`). */
export const RulesAccount = ({ row, rows, part, led, onPart, onChoose }: { row: RulesRow; rows: readonly RulesRow[]; part: Part; led: boolean; onPart: (part: Part) => void; onChoose: (account: string | null) => void }) => {
  const { t } = useTranslation('rules')
  const { rules, standing, name } = row
  const draft = useRulesDraft(rules, standing?.currency ?? 'USD', standing?.stage ?? rules.stage)
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="ghost" size="sm" autoFocus={led} onClick={() => { onChoose(null) }}>
          <ArrowLeft aria-hidden />
          {t('all-accounts')}
        </Button>
        <Select aria-label={t('account')} className="max-w-72" value={rules.account} onChange={onChoose} options={rows.map((one) => ({ value: one.rules.account, label: one.name }))} />
        {standing?.firm && (
          <span className="flex items-center gap-2 text-muted">
            <Monogram letters={monogram(standing.firm)} />
            {standing.firm}
          </span>
        )}
        <StageMenu name={name} rules={rules} standing={standing} />
        {draft.changed && <Badge tone="warn">{t('form.unsaved')}</Badge>}
        <Segmented label={t('parts')} className="ml-auto" value={part} onChange={onPart} options={parts.map((value) => ({ value, label: t(`part.${value}`) }))} />
      </div>
      {part === 'now' && <RulesNow standing={standing} onSet={() => { onPart('set') }} />}
      {part === 'set' && <RulesEditor draft={draft} name={name} standing={standing} kept={rules.set !== null} />}
      {part === 'history' && <ReplayPanel row={row} onSet={() => { onPart('set') }} />}
      {part === 'odds' && <OddsPanel row={row} onSet={() => { onPart('set') }} />}
    </>
  )
}
