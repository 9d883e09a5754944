import { stageName } from '#renderer/lib/stage-name.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { stageSince } from '#renderer/lib/stage-since.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useSetStage } from '#renderer/lib/use-set-stage.ts'
import { stage as stages, type AccountRules, type AccountStanding, type Stage } from '#shared/api/rules.ts'
import { ChevronDown, CircleCheck, Flag, Hand, OctagonX, Wallet, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from './badge.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from './menu.tsx'
import { Spinner } from './spinner.tsx'
import { toast } from './toast-store.ts'

type Tone = NonNullable<ComponentProps<typeof Badge>['tone']>

const looks: Record<Stage | 'own', { readonly tone: Tone; readonly Icon: LucideIcon }> = {
  evaluation: { tone: 'accent', Icon: Flag },
  passed: { tone: 'gain', Icon: CircleCheck },
  funded: { tone: 'gain', Icon: Wallet },
  own: { tone: 'quiet', Icon: Wallet },
  breached: { tone: 'loss', Icon: OctagonX },
}

/** An account's stage: an icon, a word, and a color last. */
export const StageMark = ({ stage }: { stage: Stage | 'own' }) => {
  const { t } = useTranslation('rules')
  const { tone, Icon } = looks[stage]
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className="stage-sign" />
      {t(`stage.${stage}`)}
    </Badge>
  )
}

/** An account's stage, with the menu that sets it by hand or resets it to its label and rules; breached and passed say since when. */
export const StageMenu = ({ name, rules, standing }: { name: string; rules: Pick<AccountRules, 'account' | 'stage' | 'stageByHand'>; standing: Pick<AccountStanding, 'stage' | 'states' | 'passed' | 'firm'> | null }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useProblemText()
  const { mutate, isPending } = useSetStage((failure) => { toast({ title: t('stage.failed', { account: name }), text: words(failure), tone: 'error' }) })
  const { account, stageByHand } = rules
  // What happened since the last closed trade counts too.
  const stage = standing?.stage ?? rules.stage
  const shown = (standing === null ? null : stageName(standing)) ?? stage
  const since = standing === null ? null : stageSince(standing)
  return (
    <span className="inline-flex flex-col items-start gap-0.5">
      <Menu
        trigger={
          <button type="button" disabled={isPending} aria-label={t('stage.of', { account: name, stage: t(`stage.${shown}`) })} className="inline-flex items-center gap-1 rounded-sm text-faint hover:text-ink disabled:opacity-60">
            <StageMark stage={shown} />
            {isPending ? <Spinner /> : <ChevronDown aria-hidden className="size-3.5" />}
          </button>
        }
      >
        <MenuChoice label={t('stage.by-hand-label')} value={stageByHand ? stage : 'automatic'} onChange={(next) => { if (next !== 'automatic') mutate({ account, stage: next }) }} options={stages.options.map((value) => ({ value, label: t(`stage.${value}`) }))} />
        <MenuSeparator />
        <MenuItem disabled={!stageByHand} onSelect={() => { mutate({ account, stage: null }) }}>
          {t('stage.automatic')}
        </MenuItem>
      </Menu>
      {stageByHand ? (
        <span className="inline-flex items-center gap-1 text-xs text-faint">
          <Hand aria-hidden className="size-3" />
          {t('stage.by-hand')}
        </span>
      ) : (
        since !== null && <span className="text-xs text-faint max-xl:max-w-24 max-xl:whitespace-normal">{t('stage.since', { day: format.fullDay(since.tradingDay) })}</span>
      )}
    </span>
  )
}
