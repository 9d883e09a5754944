import { tradingDay } from '#shared/market/trading-day.ts'
import { endedBy } from '#renderer/lib/stage-since.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import type { AccountStanding } from '#shared/api/rules.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SaveChoice } from './use-rules-form.ts'

/** Asks before rules turn an account breached or passed: from which day they count, and the result of each choice. */
export const VerdictDialog = ({ name, choices, onAnswer }: { name: string; choices: readonly [SaveChoice, ...SaveChoice[]]; onAnswer: (choice: SaveChoice | null) => void }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const verdict = useVerdict()
  const id = useId()
  const [chosen, choose] = useState(0)
  const cancel = (): void => { onAnswer(null) }
  return (
    <Dialog
      open
      title={t(choices[0].standing.stage === 'passed' ? 'verdict.passed-title' : 'verdict.breached-title', { account: name })}
      description={t('verdict.text')}
      onClose={cancel}
      footer={<AskButtons cancel={t('cancel')} onCancel={cancel} confirm={t('form.save')} onClick={() => { onAnswer(choices[chosen] ?? null) }} />}
    >
      <fieldset className="flex flex-col gap-2.5">
        <legend className="sr-only">{t('form.since')}</legend>
        {choices.map(({ since, set, standing }, index) => (
          <div key={since ?? ''} className="flex items-start gap-2.5">
            <input type="radio" id={`${id}-${String(index)}`} name={id} checked={chosen === index} onChange={() => { choose(index) }} aria-describedby={`${id}-${String(index)}-text`} className="mt-0.75 size-4 shrink-0 accent-accent" />
            <div>
              <label htmlFor={`${id}-${String(index)}`} className="font-medium">{since === null ? t('verdict.from-first') : t('form.count-from', { day: format.fullDay(since) })}</label>
              <p id={`${id}-${String(index)}-text`} className="text-muted">
                {set.startingBalance !== choices[0].set.startingBalance && `${t('verdict.starts-with', { amount: format.fullMoney(set.startingBalance, set.currency) })} `}
                {verdict(standing)}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
    </Dialog>
  )
}

/** What rules make of an account, with the rule and the day. */
const useVerdict = (): ((standing: AccountStanding) => string) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useRuleWords()
  // What happens in the session that is open, or comes next on a weekend, happens now.
  const today = tradingDay(Date.now())
  return ({ stage, states, passed }) => {
    if (stage === 'passed') return passed === null || passed >= today ? t('verdict.passed') : t('outcome.passed', { day: format.fullDay(passed) })
    if (stage !== 'breached') return t('verdict.neither')
    const by = endedBy(states)
    return by === null || by.since.tradingDay >= today ? t('verdict.breached') : t('outcome.breached', { rule: words.name(by.rule), day: format.fullDay(by.since.tradingDay) })
  }
}
