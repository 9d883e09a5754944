import { monogram } from '#renderer/lib/monogram.ts'
import { presetsQuery } from '#renderer/lib/rules.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useNarrow } from '#renderer/lib/use-narrow.ts'
import { Badge, Monogram } from '#renderer/ui/badge.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { StageMenu } from '#renderer/ui/stage-menu.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { AccountRules, AccountStanding } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { draftKey, useDrafts } from './unsaved-rules.ts'

/** One account with its rules and their states. */
export type RulesRow = { readonly rules: AccountRules; readonly standing: AccountStanding | null; readonly name: string }

/** All accounts with their stage, their rules and their nearest limit, in a wide window with their balance; `focused` is the account that the user just came back from. */
export const RulesList = ({ rows, focused, onChoose }: { rows: readonly RulesRow[]; focused: string | null; onChoose: (account: string) => void }) => {
  const { t } = useTranslation('rules')
  const narrow = useNarrow()
  return (
    <Card title={t('list.title')} note={t('list.note')} className="shrink-0 overflow-hidden">
      <div className="overflow-x-auto">
        <Table className="max-xl:[&_td:not(:first-child)]:pl-0 max-xl:[&_th:not(:first-child)]:pl-0">
          <caption className="sr-only">{t('list.title')}</caption>
          <thead>
            <tr>
              <HeaderCell>{t('account')}</HeaderCell>
              <HeaderCell>{t('firm')}</HeaderCell>
              <HeaderCell>{t('list.stage')}</HeaderCell>
              <HeaderCell>{t('list.rules')}</HeaderCell>
              <HeaderCell className="w-64 max-xl:w-48">{t('list.nearest')}</HeaderCell>
              {!narrow && <HeaderCell end>{t('balance')}</HeaderCell>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.rules.account} row={row} narrow={narrow} focused={row.rules.account === focused} onChoose={onChoose} />
            ))}
          </tbody>
        </Table>
      </div>
    </Card>
  )
}

const Row = ({ row: { rules, standing, name }, narrow, focused, onChoose }: { row: RulesRow; narrow: boolean; focused: boolean; onChoose: (account: string) => void }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const key = draftKey(useUserId(), rules.account)
  const unsaved = useDrafts(({ drafts }) => drafts.has(key))
  const nearest = standing?.states?.find(({ rule }) => rule === standing.nearest) ?? null
  return (
    <tr className="[&>td]:h-13 [&>td]:py-1.5">
      <Cell className="max-w-52 max-xl:max-w-40">
        <button type="button" autoFocus={focused} aria-label={t('list.open', { account: name })} className="block max-w-full rounded-sm text-left font-medium text-accent underline-offset-3 hover:underline" onClick={() => { onChoose(rules.account) }}>
          <CutName name={name} />
        </button>
      </Cell>
      <Cell className="max-xl:whitespace-normal!">
        {standing === null || standing.firm === null ? (
          <span className="text-faint">{t('no-firm')}</span>
        ) : (
          <span className="flex items-center gap-2">
            <Monogram letters={monogram(standing.firm)} />
            {standing.firm}
          </span>
        )}
      </Cell>
      <Cell><StageMenu name={name} rules={rules} standing={standing} /></Cell>
      <Cell quiet className="max-xl:whitespace-normal!">
        <RulesName rules={rules} standing={standing} />
        {unsaved && <Badge tone="warn" className="ml-2 max-xl:ml-0">{t('form.unsaved')}</Badge>}
      </Cell>
      <Cell className="min-w-44">{nearest === null || standing === null ? <span className="text-faint">{t('none')}</span> : <RuleBar state={nearest} currency={standing.currency} compact />}</Cell>
      {!narrow && <Cell end>{standing === null || standing.balance === null ? t('none') : format.wholeMoney(standing.balance, standing.currency)}</Cell>}
    </tr>
  )
}

const RulesName = ({ rules, standing }: { rules: AccountRules; standing: AccountStanding | null }) => {
  const { t } = useTranslation('rules')
  const { data } = useQuery(presetsQuery)
  const preset = data?.presets.find(({ id }) => id === rules.presetId)
  if (rules.set === null) return standing?.states === null || standing === null ? t('list.no-rules') : t('list.of-broker')
  return preset === undefined ? t('list.own') : t('list.preset', { plan: preset.plan, phase: t(`phase.${preset.phase}`) })
}
