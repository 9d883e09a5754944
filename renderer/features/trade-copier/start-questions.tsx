import { Button } from '#renderer/ui/button.tsx'
import type { LiveFollower, LiveGroup } from '#shared/api/copier.ts'
import { CircleHelp } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccountNames } from './use-account-names.ts'
import type { CopierAct } from './use-copier-acts.ts'
import { useFigures } from './use-figures.ts'

const answers = ['adopt', 'flatten', 'leave'] as const

/** For each follower with positions open at the start, asks what to do with them, and shows each answer's effect in contracts. */
export const StartQuestions = ({ group, busy, act }: { group: LiveGroup; busy: boolean; act: (act: CopierAct) => void }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const id = useId()
  const asking = group.followers.filter(({ undecided }) => undecided.length > 0)
  if (asking.length === 0) return null
  return (
    <section aria-label={t('start.title')} className="border-b border-hairline bg-warn-tint px-4 py-3">
      <h3 className="flex items-center gap-2 font-semibold">
        <CircleHelp aria-hidden className="size-4 text-warn" />
        {t('start.title')}
      </h3>
      <p className="mt-1 max-w-3xl text-muted">{t('start.text')}{group.dryRun && ` ${t('start.dry-run')}`}</p>
      <dl className="mt-2 grid max-w-4xl grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {answers.map((answer) => (
          <div key={answer} className="contents">
            <dt className="font-medium">{t(`start.${answer}`)}</dt>
            <dd className="text-muted">{t(`start.${answer}-text`)}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-2 divide-y divide-line border-t border-line">
        {asking.map(({ account, undecided, contracts }) => (
          <li key={account} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-2">
            <div className="min-w-52 grow">
              <p className="font-medium proportional-nums">{nameOf(account)}</p>
              <p className="text-sm text-muted">{undecided.map(({ contract, leader, follower }) => t('start.holds', { contract, leader: figures.position(leader), follower: figures.position(follower) })).join(' · ')}</p>
              <Effects id={`${id}-${account}`} effects={startEffects({ undecided, contracts })} />
            </div>
            <div className="flex gap-2">
              {answers.map((answer) => (
                <Button key={answer} variant="outline" size="sm" disabled={busy} aria-label={t(`start.${answer}-of`, { account: nameOf(account) })} aria-describedby={`${id}-${account}-${answer}`} onClick={() => { act({ do: 'start', id: group.id, account, answer }) }}>
                  {t(`start.${answer}`)}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Effects = ({ id, effects: { adopt, flatten, leave } }: { id: string; effects: StartEffects }) => {
  const { t } = useTranslation('trade-copier')
  const figures = useFigures()
  const orders = (list: readonly StartOrder[]): string => (list.length === 0 ? t('start.does.nothing') : list.map(({ side, qty, contract }) => t(`start.does.${side}`, { qty: figures.count(qty), contract })).join(', '))
  const positions = leave.map(({ qty, contract }) => t('start.does.position', { qty: figures.count(qty), contract })).join(', ')
  return (
    <p className="flex flex-wrap gap-x-4 text-sm">
      <span id={`${id}-adopt`}>{adopt === null ? t('start.does.adopt-unknown') : t('start.does.adopt', { orders: orders(adopt) })}</span>
      <span id={`${id}-flatten`}>{t('start.does.flatten', { orders: orders(flatten) })}</span>
      <span id={`${id}-leave`}>{leave.length === 0 ? t('start.does.leave-nothing') : t('start.does.leave', { positions })}</span>
    </p>
  )
}

/** An order that an answer sends at the market. */
type StartOrder = { readonly side: 'buy' | 'sell'; readonly qty: number; readonly contract: string }

/** The effect of each answer to the start question, in contracts. `adopt` is null while a target is unknown; `leave` is what stays the user's own. */
type StartEffects = { readonly adopt: readonly StartOrder[] | null; readonly flatten: readonly StartOrder[]; readonly leave: readonly { readonly qty: number; readonly contract: string }[] }

const orderOf = (contract: string, change: number): StartOrder[] => (change === 0 ? [] : [{ side: change > 0 ? 'buy' : 'sell', qty: Math.abs(change), contract }])

/** What each answer does with the positions in question. */
export const startEffects = ({ undecided, contracts }: Pick<LiveFollower, 'undecided' | 'contracts'>): StartEffects => {
  const targets = new Map(contracts.map(({ contract, target }) => [contract, target]))
  const known = undecided.every(({ contract }) => targets.has(contract))
  return {
    adopt: known ? undecided.flatMap(({ contract, follower }) => orderOf(contract, (targets.get(contract) ?? 0) - follower)) : null,
    flatten: undecided.flatMap(({ contract, follower }) => orderOf(contract, 0 - follower)),
    leave: undecided.flatMap(({ contract, follower }) => (follower === 0 ? [] : [{ qty: Math.abs(follower), contract }])),
  }
}
