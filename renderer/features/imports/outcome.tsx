import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { OtherFees } from '#renderer/ui/other-fees.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { ImportOutcome, ImportPreviewAnswer } from '#shared/api/imports.ts'
import { Check, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { WarningList } from './warning-list.tsx'

/** The result of an import: which accounts, what is new, and how it compares with the broker's own figures. */
export const Outcome = ({ answer }: { answer: ImportPreviewAnswer }) => {
  const { t } = useTranslation('import')
  const { outcome, without } = answer
  return (
    <div className="flex flex-col gap-3.5 px-4 py-3.5">
      <Accounts answer={answer} />
      {without === 'figures-too-large' && <Notice tone="error">{t('figures-too-large')}</Notice>}
      {without === 'too-many-rows' && <Notice>{t('too-many-rows')}</Notice>}
      {outcome?.known && <Notice>{t('known')}</Notice>}
      {/* Rows that are there already may have been read in the wrong zone. */}
      {outcome?.known && <WarningList warnings={outcome.warnings.filter(({ code }) => code === 'zone-mismatch')} />}
      {outcome !== null && !outcome.known && (
        <>
          <Facts outcome={outcome} />
          <WarningList warnings={outcome.warnings} />
        </>
      )}
    </div>
  )
}

const Accounts = ({ answer: { accounts, unnamed } }: { answer: ImportPreviewAnswer }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  if (accounts.length === 0 && unnamed.placed.length === 0) return null
  return (
    <dl className="flex flex-col gap-1.5">
      {accounts.length > 0 && (
        <Fact name={t('accounts-named')}>
          {accounts.map(({ name, rows, state }) => (
            <span key={name} className="mr-4 inline-flex items-center gap-2">
              <span className="font-medium proportional-nums">{name}</span>
              <span className="text-muted">{t('rows-of', { count: rows, shown: format.count(rows) })}</span>
              {state !== 'known' && <Badge tone={state === 'new' ? 'accent' : 'warn'}>{t(`account-state.${state}`)}</Badge>}
            </span>
          ))}
        </Fact>
      )}
      {unnamed.placed.length > 0 && (
        <Fact name={t('accounts-unnamed')}>
          {unnamed.placed.map(({ name, rows }) => (
            <span key={name} className="mr-4">
              {t('placed', { count: rows, shown: format.count(rows), account: name })}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  )
}

const Facts = ({ outcome: { fills, pairs, trades, money, open, incomplete, approximate, ambiguous, checks } }: { outcome: ImportOutcome }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  const counted = (count: number) => ({ count, shown: format.count(count) })
  const fresh = [t('fills', counted(fills.added)), t('pairs', counted(pairs.added)), t('trades', counted(trades.added))]
  const other = [
    ...(fills.changed > 0 ? [t('fills-changed', counted(fills.changed))] : []),
    ...(fills.removed > 0 ? [t('fills-removed', counted(fills.removed))] : []),
    ...(pairs.removed > 0 ? [t('pairs-removed', counted(pairs.removed))] : []),
  ]
  const days = checks.daysEqual + checks.daysDiffer + checks.daysUnchecked
  return (
    <dl className="flex flex-col gap-1.5">
      <Fact name={t('comes-new')}>{fresh.join(' · ')}</Fact>
      {other.length > 0 && <Fact name={t('comes-other')}>{other.join(' · ')}</Fact>}
      {money.map(({ currency, grossPnl, commission, netPnl, otherFees }) => (
        <Fact key={currency} name={t('pairs-money', { currency })}>
          <span className="mr-4">
            {t('gross')} <Pnl value={grossPnl} />
          </span>
          <span className="mr-4">
            {t('fees')} {format.money(commission)}
            <OtherFees of={otherFees} />
          </span>
          <span>
            {t('net')} <Pnl value={netPnl} className="font-semibold" />
          </span>
        </Fact>
      ))}
      {open.length > 0 && (
        <Fact name={t('left-open')}>
          {open.map(({ account, contract, side, quantity }) => (
            <span key={`${account} ${contract}`} className="mr-4">
              {t(`left-open-${side}`, { account, contract, shown: format.count(quantity) })}
            </span>
          ))}
        </Fact>
      )}
      {incomplete > 0 && <Doubt name={t('incomplete')}>{t('incomplete-pairs', counted(incomplete))}</Doubt>}
      {approximate > 0 && <Doubt name={t('approximate')}>{t('approximate-pairs', counted(approximate))}</Doubt>}
      {ambiguous > 0 && <Doubt name={t('ambiguous')}>{t('ambiguous-pairs', counted(ambiguous))}</Doubt>}
      <Fact name={t('checks')}>
        {checks.pairsChecked + days === 0 ? (
          <span className="text-muted">{t('checks-none')}</span>
        ) : (
          <span className="inline-flex flex-wrap gap-x-4 gap-y-1">
            {checks.pairsChecked > 0 && <Checked equal={checks.pairsEqual} of={checks.pairsChecked} text={t('pairs-equal', { count: checks.pairsChecked, equal: format.count(checks.pairsEqual), checked: format.count(checks.pairsChecked) })} />}
            {days > 0 && (
              <Checked
                equal={checks.daysEqual}
                of={days}
                text={t('days-headline', {
                  count: days,
                  equal: format.count(checks.daysEqual),
                  shown: format.count(days),
                  differ: t('days-differ', counted(checks.daysDiffer)),
                  unchecked: format.count(checks.daysUnchecked),
                })}
              />
            )}
          </span>
        )}
      </Fact>
    </dl>
  )
}

const Checked = ({ equal, of, text }: { equal: number; of: number; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    {equal === of ? <Check aria-hidden className="size-4 text-gain" /> : <CircleAlert aria-hidden className="size-4 text-warn" />}
    {text}
  </span>
)

const Doubt = ({ name, children }: { name: string; children: string }) => (
  <Fact name={name}>
    <span className="inline-flex items-center gap-1.5">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-warn" />
      {children}
    </span>
  </Fact>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-4">
    <dt className="w-52 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 grow basis-80 tabular-nums">{children}</dd>
  </div>
)
